import { type ApplicationRecord, applicationFields } from '../../../src/domain/application.ts';
import type { Fields } from '../../../src/domain/field.ts';
import { shownFields, valueText } from '../../../src/domain/field-text.ts';
import { type InquiryRecord, inquiryFields } from '../../../src/domain/inquiry.ts';
import { officeHours, phoneHref, site } from '../../../src/site.config.ts';
import type { Email } from './email.ts';

/** Creates the email to the firm, with everything that the visitor wrote. */
export function inquiryForFirm(inquiry: InquiryRecord, siteUrl: string): Email {
  const { id, reference, fullName, company, message } = inquiry;
  const service = valueText(inquiryFields.serviceInterest, inquiry.serviceInterest);
  return {
    subject: `New inquiry ${reference}: ${company} (${service})`,
    preheader: `${fullName}: ${message}`,
    blocks: [
      `You have a new inquiry from the website. Reply to this email to answer ${fullName}.`,
      ...everythingIn(inquiry, inquiryFields),
      { label: 'Open the inquiry', url: `${siteUrl}/admin?submission=${id}` },
    ],
    footer: automatic(siteUrl),
  };
}

/**
 * Creates the confirmation for the sender, with the reference. It contains no text that the visitor typed, because
 * anyone can enter another person's email address, and that person must not receive a stranger's words.
 */
export function inquiryForSender({ reference }: InquiryRecord): Email {
  return {
    subject: `We received your inquiry (${reference})`,
    preheader: `A consultant will reply by email. Your reference is ${reference}.`,
    blocks: [
      `Thanks for contacting ${site.name}. We received your inquiry, and a consultant will reply by email.`,
      `Your reference is ${reference}. To add something, reply to this email, or call us at ${site.phone} (${officeHours()}) and give us the reference.`,
      "If you didn't contact us, someone entered your address by mistake. You can ignore this email.",
    ],
    footer: contactDetails(site.email),
  };
}

/** Creates the email that an admin sends as a test to every mailbox that the site uses. */
export function testEmail(siteUrl: string): Email {
  return {
    subject: `Test email from ${site.name}`,
    preheader: 'If you can read this, the site can send email.',
    blocks: [
      `An admin asked for this test email in the settings of ${siteUrl}.`,
      'If you can read this, the site can send email. If the email arrived in your spam folder, mark it as not spam.',
    ],
    footer: automatic(siteUrl),
  };
}

/**
 * Creates the email to HR, with everything that the applicant wrote. The resume is not attached. The email contains a
 * link to the resume, which requires a sign-in.
 */
export function applicationForFirm(application: ApplicationRecord, siteUrl: string): Email {
  const { id, reference, fullName, position, resume, coverLetter } = application;
  return {
    subject: `New application ${reference}: ${fullName}${position && ` (${position})`}`,
    preheader: coverLetter ? `${fullName}: ${coverLetter}` : `${fullName} sent a resume.`,
    blocks: [
      `You have a new application from the website. Reply to this email to answer ${fullName}. To read the resume, open the application and sign in.`,
      ...everythingIn(application, applicationFields, [['Resume', resume.name]]),
      { label: 'Open the application', url: `${siteUrl}/admin?application=${id}` },
    ],
    footer: automatic(siteUrl),
  };
}

/**
 * Creates the confirmation for the applicant, with the reference and without any typed text, as in {@link
 * inquiryForSender}.
 */
export function applicationForSender({ reference }: ApplicationRecord): Email {
  return {
    subject: `We received your application (${reference})`,
    preheader: `We received your resume and will reply by email. Your reference is ${reference}.`,
    blocks: [
      `Thanks for applying to ${site.name}. We received your application and your resume, and we will reply by email.`,
      `Your reference is ${reference}. To add something, reply to this email and give us the reference.`,
      "If you didn't apply, someone entered your address by mistake. Please reply to this email to tell us.",
    ],
    footer: contactDetails(site.hrEmail),
  };
}

/** Creates an email to an admin. @param text paragraphs, separated by blank lines. */
export function noticeEmail({ subject, text }: { subject: string; text: string }, siteUrl: string): Email {
  const paragraphs = text.split('\n\n');
  return { subject, preheader: paragraphs[0] ?? '', blocks: paragraphs, footer: automatic(siteUrl) };
}

/**
 * Lists the short fields, followed by the full text of each multiline field. @param others more labels and values,
 * listed after the short fields.
 */
function everythingIn(
  record: InquiryRecord | ApplicationRecord,
  fields: Fields,
  others: readonly (readonly [string, string])[] = [],
): Email['blocks'] {
  const shown = shownFields(fields, record);
  const short = shown.filter(({ field }) => field.kind !== 'lines');
  const long = shown.filter(({ field }) => field.kind === 'lines');
  return [
    {
      facts: [
        ['Reference', record.reference],
        ['Received', received(record.createdAt)],
        ...short.map(({ label, text }) => [label, text || '-'] as const),
        ...others,
      ],
    },
    ...long.map(({ label, text }) => ({ label, quote: text || `(No ${label.toLowerCase()}.)` })),
  ];
}

/** Returns the footer for visitors: the firm's contact details. @param email the mailbox that receives a reply. */
function contactDetails(email: string): Email['footer'] {
  const { street, city, region, postalCode } = site.address;
  return [
    site.legalName,
    `${street}, ${city}, ${region} ${postalCode}`,
    { label: site.phone, url: phoneHref(site.phone) },
    { label: email, url: `mailto:${email}` },
  ];
}

/** Returns the footer for people of the firm. */
function automatic(siteUrl: string): Email['footer'] {
  const admin = `${siteUrl}/admin`;
  return [`The ${site.name} website sent this email automatically.`, { label: admin, url: admin }];
}

function received(createdAt: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long', timeZone: site.timeZone }).format(
    new Date(createdAt),
  );
}
