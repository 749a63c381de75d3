import { type ApplicationRecord, experienceLabel } from '../../../src/domain/application.ts';
import type { InquiryRecord } from '../../../src/domain/inquiry.ts';
import { serviceInterestLabel } from '../../../src/domain/inquiry.ts';
import { officeHours, site } from '../../../src/site.config.ts';

/** A mail without its addresses of delivery. */
export interface Message {
  readonly subject: string;
  readonly text: string;
}

/** To the firm: everything that the visitor wrote, as plain text. */
export function inquiryForFirm(inquiry: InquiryRecord, siteUrl: string): Message {
  return {
    subject: `New inquiry ${inquiry.reference}: ${inquiry.company} (${serviceInterestLabel(inquiry.serviceInterest)})`,
    text: `Reference: ${inquiry.reference}
Received:  ${received(inquiry.createdAt)}

Name:      ${inquiry.fullName}
Email:     ${inquiry.email}
Company:   ${inquiry.company}
Service:   ${serviceInterestLabel(inquiry.serviceInterest)}

${inquiry.message}

--
Reply to this message to answer ${inquiry.fullName}.
In the inbox: ${siteUrl}/admin?submission=${inquiry.id}
`,
  };
}

/**
 * To the sender: that it arrived, and the reference. Nothing that was typed is repeated, because anybody can type
 * somebody else's address: the acknowledgement must not carry a stranger's words to it.
 */
export function inquiryForSender(inquiry: InquiryRecord): Message {
  return {
    subject: `We received your inquiry (${inquiry.reference})`,
    text: `Hello,

thank you for writing to ${site.name}. Your inquiry has arrived, and a consultant will read it and answer you.

Your reference is ${inquiry.reference}. If you want to add something, reply to this message, or call us at
${site.phone} (${officeHours()}) and give the reference.

You did not write to us? Then somebody entered your address by mistake, and you can ignore this message.

${signature(site.email)}
`,
  };
}

/** To an admin who wants to know whether mail goes out. */
export function testMail(siteUrl: string): Message {
  return {
    subject: `Test mail from ${site.name}`,
    text: `This is the test mail that you asked for in the settings of ${siteUrl}.

That you read it shows that the site can send mail. Look also at where it arrived: a mail in the spam folder is not read.
`,
  };
}

/** To HR: what the applicant wrote. The resume stays where only a signed-in admin reaches it. */
export function applicationForFirm(application: ApplicationRecord, siteUrl: string): Message {
  const { reference, fullName, position, experience, coverLetter, resume } = application;
  return {
    subject: `New application ${reference}: ${fullName}${position && ` (${position})`}`,
    text: `Reference:  ${reference}
Received:   ${received(application.createdAt)}

Name:       ${fullName}
Email:      ${application.email}
Phone:      ${application.phone || '-'}
Position:   ${position || '-'}
Experience: ${experienceLabel(experience) || '-'}
Resume:     ${resume.name}

${coverLetter || '(No cover letter.)'}

--
Reply to this message to answer ${fullName}.
The resume, after signing in: ${siteUrl}/admin?application=${application.id}
`,
  };
}

/** To the applicant: that it arrived, and the reference; nothing that was typed, as in {@link inquiryForSender}. */
export function applicationForSender({ reference }: ApplicationRecord): Message {
  return {
    subject: `We received your application (${reference})`,
    text: `Hello,

thank you for applying to ${site.name}. Your application and your resume have arrived, and we will read them and
answer you.

Your reference is ${reference}. If you want to add something, or want us to delete what you sent, reply to this message
and give the reference.

You did not apply to us? Then somebody entered your address by mistake. Reply to this message, and we delete it.

${signature(site.hrEmail)}
`,
  };
}

function signature(email: string): string {
  return `${site.legalName}
${site.address.street}, ${site.address.city}, ${site.address.region} ${site.address.postalCode}
${site.phone} | ${email}`;
}

function received(createdAt: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long', timeZone: site.timeZone }).format(
    new Date(createdAt),
  );
}
