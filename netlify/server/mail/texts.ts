import { shownFields, valueText } from '../../../src/domain/field.ts';
import { inquiryFields } from '../../../src/domain/submissions/inquiry.ts';
import { type Submission, isApplication, submissionKinds } from '../../../src/domain/submissions/submission-kinds.ts';
import { officeHours, phoneHref, site } from '../../../src/site.config.ts';
import type { Email } from './template.ts';

/** Returns the subject of the messages to the firm. @param who whom the subject of an inquiry names. */
export function subjectOf(submission: Submission, who = 'company' in submission ? submission.company : ''): string {
  const { reference, fullName } = submission;
  if (isApplication(submission)) {
    const what = submission.position && ` (${submission.position})`;
    return `New application ${reference}: ${fullName}${what}`;
  }
  const service = valueText(inquiryFields.serviceInterest, submission.serviceInterest);
  return `New inquiry ${reference}: ${who} (${service})`;
}

/** Returns the URL of a submission in the admin area. */
function adminUrlOf(submission: Submission, siteUrl: string): string {
  return `${siteUrl}/admin?${isApplication(submission) ? 'application' : 'submission'}=${submission.id}`;
}

/**
 * Creates the email to the firm, with everything that the visitor wrote. A resume is not attached. The email contains a
 * link to the resume, which requires a sign-in.
 */
export function emailToFirm(submission: Submission, siteUrl: string): Email {
  const { fullName, reference } = submission;
  const application = isApplication(submission);
  const { one: what, fields } = submissionKinds[application ? 'application' : 'inquiry'];
  const written = application ? submission.coverLetter : submission.message;
  const shown = shownFields(fields, submission);
  const short = shown.filter(({ field }) => field.kind !== 'lines');
  const long = shown.filter(({ field }) => field.kind === 'lines');
  const resume = application ? ' To read the resume, use the link below and sign in.' : '';
  return {
    subject: subjectOf(submission),
    preheader: written ? `${fullName}: ${written}` : `${fullName} sent a resume.`,
    blocks: [
      `You have a new ${what} from the website. Reply to this email to answer ${fullName}.${resume}`,
      {
        facts: [
          ['Reference', reference],
          ['Received', received(submission.createdAt)],
          ...short.map(({ label, text }) => [label, text || '-'] as const),
          ...(application ? [['Resume', submission.resume.name] as const] : []),
        ],
      },
      ...long.map(({ label, text }) => ({ label, quote: text || `(No ${label.toLowerCase()}.)` })),
      { label: `Open the ${what}`, url: adminUrlOf(submission, siteUrl) },
    ],
    footer: automatic(siteUrl),
  };
}

/**
 * Creates the confirmation for the sender, with the reference. It contains no text that the visitor typed, because
 * anyone can enter another person's email address, and that person must not receive a stranger's words.
 *
 * promises: replies (docs/promises.md)
 */
export function emailToSender(submission: Submission): Email {
  const { reference } = submission;
  if (isApplication(submission)) {
    return {
      subject: `We received your application (${reference})`,
      preheader: `We received your resume and will reply by email. Your reference is ${reference}.`,
      blocks: [
        `Thanks for applying to ${site.name}. We received your application and your resume, and we will reply by email.`,
        `Your reference is ${reference}. To add something, reply to this email.`,
        "If you didn't apply, someone entered your address by mistake. Please reply to this email to tell us.",
      ],
      footer: contactDetails(site.hrEmail),
    };
  }
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

/**
 * Returns the text for the team chat. The text omits the visitor's message, phone number, email address and resume.
 * Chats store messages and show them to many people, and the site cannot erase this data there.
 */
export function chatText(submission: Submission, siteUrl: string): string {
  const who = isApplication(submission) ? '' : `${submission.fullName}, ${submission.company}`;
  return `${subjectOf(submission, who)}\n${adminUrlOf(submission, siteUrl)}`;
}

/** Creates the email that an admin sends as a test to every mailbox that the site uses. */
export function testEmail(siteUrl: string): Email {
  return {
    subject: `Test email from ${site.name}`,
    preheader: 'If you can read this, the site can send email.',
    blocks: [
      `An admin requested this test email at ${siteUrl}.`,
      'If you can read this, the site can send email. If the email arrived in your spam folder, mark it as not spam.',
    ],
    footer: automatic(siteUrl),
  };
}

/** Creates the email with the link of an invitation. @param minutes for which the link works. */
export function invitationEmail(by: string, link: string, minutes: number, siteUrl: string): Email {
  return {
    subject: `Invitation to the ${site.name} website`,
    preheader: `${by} invited you to the admin area of the website.`,
    blocks: [
      `You're invited to the admin area of the ${site.name} website. The invitation is from ${by}. To join, choose a password or create a passkey.`,
      { label: 'Accept the invitation', url: link },
      `The link works once, within ${minutes} minutes. If it no longer works, ask ${by} to send the invitation again.`,
      "If you didn't expect this invitation, ignore this email. Don't forward the email, because the link gives access to the admin area.",
    ],
    footer: automatic(siteUrl),
  };
}

export interface NoticeText {
  readonly subject: string;
  /** Paragraphs, separated by blank lines. */
  readonly text: string;
}

/** Creates an email to an admin. */
export function noticeEmail({ subject, text }: NoticeText, siteUrl: string): Email {
  const paragraphs = text.split('\n\n');
  return { subject, preheader: paragraphs[0] ?? '', blocks: paragraphs, footer: automatic(siteUrl) };
}

/** Returns a notice for the chat. */
export function noticeChatText({ subject, text }: NoticeText, siteUrl: string): string {
  return `${subject}\n${text}\n${siteUrl}/admin?tab=settings`;
}

/** Returns the notice that replaces separate messages about submissions, or separate notices, during a flood. */
export function digestOf(subjects: readonly string[], limit: number): NoticeText {
  const text = [
    `The site sends at most ${limit} separate messages an hour to each recipient. The rest are listed together:`,
    subjects.join('\n'),
    'If many of these messages are about inquiries or applications, someone may be flooding your forms. To read inquiries and applications, sign in to the admin area.',
  ];
  return { subject: `${subjects.length} more messages from the ${site.name} website`, text: text.join('\n\n') };
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
