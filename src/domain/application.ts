import * as z from 'zod/mini';
import { pageOf } from './paging.ts';
import { emailField, lineField, linesField } from './plain-text.ts';
import { submissionCounts, submissionShape } from './submission.ts';

/** The positions of the form, in its order (spec §3). A position's value is what it is called. */
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

/** Years of experience, as the form offers them (spec §3). */
export const experiences = ['0-1', '2-3', '4-5', '6-10', '10+'] as const;

/** '2-3 years'; nothing where nothing was chosen. */
export function experienceLabel(experience: string): string {
  return experience && `${experience} years`;
}

/** The endings of the files that a resume may be, for a file picker and for its hint. */
export const resumeEndings = ['.pdf', '.doc', '.docx'] as const;

/** What the server says of a resume that it does not take; the form's texts go by these words (spec §8). */
export const resumeRefusals = {
  missing: 'Resume file is required',
  type: 'Only PDF and DOC/DOCX files are allowed',
  size: 'File too large',
} as const;

/**
 * What an applicant sends beside the resume: `POST /api/career-application` (spec §3, §5). An empty text is the same as
 * none. Unknown fields are left out.
 */
export const applicationInput = z.object({
  fullName: lineField('Please enter your full name.'),
  email: emailField('Please enter a valid email address.'),
  phone: z._default(lineField('', { min: 0, max: 50 }), ''),
  position: z._default(z.enum(['', ...positions], 'Please choose a position from the list.'), ''),
  experience: z._default(z.enum(['', ...experiences], 'Please choose your experience from the list.'), ''),
  coverLetter: z._default(linesField('', { min: 0 }), ''),
});

export type ApplicationInput = z.infer<typeof applicationInput>;

/** What a resume turned out to be, by its content. */
const resumeKind = z.enum(['pdf', 'doc', 'docx']);

export type ResumeKind = z.infer<typeof resumeKind>;

export const resumeFacts = z.object({
  /** As the applicant's machine called it, without a path. */
  name: z.string(),
  kind: resumeKind,
  /** Bytes. */
  size: z.number(),
});

/** An application as the admin's list shows it: `GET /api/contact/applications`. */
export const applicationRecord = z.object({
  ...submissionShape,
  ...applicationInput.shape,
  resume: resumeFacts,
  /** When it is deleted by itself, with its resume, unless an admin holds it; ISO 8601, UTC. */
  keptUntil: z.string(),
  /** Who keeps it past that time, since when (ISO 8601, UTC) and why; null where nobody does. */
  hold: z.nullable(z.object({ at: z.string(), by: z.string(), reason: z.string() })),
});

export type ApplicationRecord = z.infer<typeof applicationRecord>;

/** `PUT …/{id}/hold`. */
export const holdInput = z.object({ reason: lineField('Enter a reason for keeping it.', { max: 500 }) });

/** So long before they are deleted, the admin is told of applications: the time in which a hold can still keep one. */
export const leavingDays = 30;

/** How many there are in each place, and in all places together of those that are deleted within {@link leavingDays}. */
const applicationCounts = z.extend(submissionCounts, { leaving: z.number() });

export type ApplicationCounts = z.infer<typeof applicationCounts>;

/** A page of applications. */
export const applicationPage = z.extend(pageOf(applicationRecord), { counts: applicationCounts });

/** The same moment so many years later, or earlier; the end of February where that has no 29th. @param at ISO 8601, UTC. */
export function yearsFrom(at: string, years: number): string {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.toISOString();
}

export type ApplicationPage = z.infer<typeof applicationPage>;

/** Answer to `POST /api/career-application`, status 201 (decisions, 'Contact and careers'). */
export const applicationReceipt = z.object({
  success: z.boolean(),
  /** The mail to HR was taken by a mail server before the answer was given. */
  emailSent: z.boolean(),
  /** What becomes of the application, in a sentence for the applicant. */
  message: z.string(),
  reference: z.string(),
});

export type ApplicationReceipt = z.infer<typeof applicationReceipt>;

/** What an applicant is told after a success (spec §8). */
export function applicationOutcome(emailSent: boolean): string {
  return emailSent
    ? "We've sent your application to our HR team and will get back to you soon."
    : "Your application has been saved. We'll review it and get back to you soon.";
}
