import { type ApplicationRecord, experienceLabel } from '../../../src/domain/application.ts';
import type { InquiryRecord } from '../../../src/domain/inquiry.ts';
import { serviceInterestLabel } from '../../../src/domain/inquiry.ts';
import { officeHours, site } from '../../../src/site.config.ts';

/** An email without its addresses. */
export interface Message {
  readonly subject: string;
  readonly text: string;
}

/** To the firm: all that the visitor wrote, as plain text. */
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
 * To the sender: a confirmation with the reference. It repeats nothing that was typed. Anyone can enter another person's
 * address, and the email must not carry a stranger's words to that person.
 */
export function inquiryForSender(inquiry: InquiryRecord): Message {
  return {
    subject: `We received your inquiry (${inquiry.reference})`,
    text: `Hello,

Thanks for contacting ${site.name}. We received your inquiry, and a consultant will reply by email.

Your reference is ${inquiry.reference}. To add something, reply to this message, or call us at ${site.phone}
(${officeHours()}) and give us the reference.

If you did not write to us, someone entered your address by mistake. You can ignore this message.

${signature(site.email)}
`,
  };
}

/** To every address that the site sends to, for an admin who tests email. */
export function testMail(siteUrl: string): Message {
  return {
    subject: `Test email from ${site.name}`,
    text: `This is the test email that an admin asked for in the settings of ${siteUrl}.

If you can read this, the site can send email. If it arrived in your spam folder, mark it as not spam.
`,
  };
}

/** To HR: all that the applicant wrote. The resume is not attached; the link to it needs a sign-in. */
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

/** To the applicant: a confirmation with the reference, without any typed text, as in {@link inquiryForSender}. */
export function applicationForSender({ reference }: ApplicationRecord): Message {
  return {
    subject: `We received your application (${reference})`,
    text: `Hello,

Thanks for applying to ${site.name}. We received your application and your resume, and we will reply by email.

Your reference is ${reference}. To add something, or to have us delete what you sent, reply to this message and give us
the reference.

If you did not apply to us, someone entered your address by mistake. Reply to this message, and we will delete the
application.

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
