import * as z from 'zod/mini';
import { tooLargeFile } from './upload.ts';
import { type Fields, type InputOf, recordShape } from '../field.ts';
import { pageOf } from '../text/paging.ts';
import { submissionCounts, submissionShape } from './submission.ts';

const resumeKinds = ['pdf', 'doc', 'docx'] as const;

/** File extensions of resumes, for the file picker. */
export const resumeEndings = resumeKinds.map((kind) => `.${kind}`);

/** Error messages of the server for a rejected resume. The form uses them as keys to choose its own messages. */
export const resumeRefusals = {
  missing: 'Resume file is required',
  type: 'Only PDF and DOC/DOCX files are allowed',
  size: tooLargeFile,
} as const;

/**
 * The positions, in the order that docs/product.md#fixed-texts specifies for the form. The stored value is also the
 * label.
 */
export const positions = [
  'Senior NetSuite Consultant',
  'Junior NetSuite Financial Consultant',
  'NetSuite Developer',
  'Business Analyst',
  'Project Manager',
  'Implementation Specialist',
  'Technical Support',
  'Other',
] as const;

/** Choices for years of experience. */
export const experiences = ['0-1', '2-3', '4-5', '6-10', '10+'] as const;

/** The text fields of the career form. The form sends the resume as a file, in addition to these fields. */
export const applicationFields = {
  fullName: {
    label: 'Full name',
    short: 'Name',
    kind: 'line',
    message: 'Please enter your full name.',
    autocomplete: 'name',
  },
  email: {
    label: 'Email',
    kind: 'email',
    message: 'Please enter a valid email address.',
    copied: 'email address',
  },
  phone: {
    label: 'Phone',
    kind: 'line',
    optional: true,
    max: 50,
    type: 'tel',
    autocomplete: 'tel',
    copied: 'phone number',
  },
  position: {
    label: 'Position',
    kind: 'choice',
    optional: true,
    options: positions.map((value) => ({ value, label: value })),
    placeholder: 'Select a position',
    message: 'Please choose a position from the list.',
    inList: true,
  },
  experience: {
    label: 'NetSuite experience',
    short: 'Experience',
    kind: 'choice',
    optional: true,
    options: experiences.map((value) => ({ value, label: `${value} years` })),
    placeholder: 'Select your experience',
    message: 'Please choose your experience from the list.',
    inList: true,
  },
  coverLetter: {
    label: 'Cover letter',
    kind: 'lines',
    optional: true,
    rows: 5,
    inList: true,
  },
} as const satisfies Fields;

/** The fields that `POST /api/career-application` receives in addition to the resume. */
export type ApplicationInput = InputOf<typeof applicationFields>;

/** The file type of a resume, detected from its content. */
const resumeKind = z.enum(resumeKinds);

export type ResumeKind = z.infer<typeof resumeKind>;

export const resumeFacts = z.object({
  /** File name on the applicant's device, without a path. */
  name: z.string(),
  kind: resumeKind,
  /** Size in bytes. */
  size: z.number(),
});

/** An application in the admin's list: `GET /api/contact/applications`. */
export const applicationRecord = z.object({
  ...submissionShape,
  ...recordShape(applicationFields),
  resume: resumeFacts,
  /** When the site deletes the application and its resume, unless an admin keeps it past that date; ISO 8601, UTC. */
  keptUntil: z.string(),
  /** Whether an admin keeps the application after its deletion date. */
  kept: z.boolean(),
});

export type ApplicationRecord = z.infer<typeof applicationRecord>;

/** Days between the email that announces an application's deletion to the admins and the deletion. */
export const leavingDays = 30;

/** A page of applications, with the number of applications in each folder. */
export const applicationPage = z.extend(pageOf(applicationRecord), { counts: submissionCounts });

export type ApplicationPage = z.infer<typeof applicationPage>;

/**
 * Adds years to a time. `years` may be negative. February 29 becomes February 28 in a year without February 29.
 * @param at ISO 8601, UTC.
 */
export function yearsFrom(at: string, years: number): string {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.toISOString();
}

/** Response of `POST /api/career-application`, status 201. */
export const applicationReceipt = z.object({
  success: z.boolean(),
  /** True if a mail server accepted the email to HR before the API responded. */
  emailSent: z.boolean(),
  /** One sentence for the applicant about the next step. */
  message: z.string(),
  reference: z.string(),
});

/** Returns the success message for an applicant. */
export function applicationOutcome(emailSent: boolean): string {
  return emailSent
    ? "We've sent your application to our HR team and will get back to you soon."
    : "Your application has been saved. We'll review it and get back to you soon.";
}
