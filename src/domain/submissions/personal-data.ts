import * as z from 'zod/mini';
import { applicationRecord } from './application.ts';
import { inquiryRecord } from './inquiry.ts';
import { invitationRecord } from '../account/people.ts';
import { emailField } from '../text/plain-text.ts';

/** The email address of the person whose data is shown, copied or erased. */
export const personInput = z.object({ email: emailField('Please enter a valid email address.') });

/**
 * A person's data, found by email address: the stored data in the response of `POST /api/contact/personal-data`, the
 * erased data in the response of `POST /api/contact/erase`.
 */
export const personalData = z.object({
  email: z.string(),
  /** References of the person's inquiries, and of the person's applications. */
  inquiries: z.array(z.string()),
  applications: z.array(z.string()),
  /** References of the applications that an admin keeps past their deletion date. */
  held: z.array(z.string()),
  /** Number of submissions that wait for the database. */
  waiting: z.number(),
  /** Number of invitations to become an admin. */
  invitations: z.number(),
});

export type PersonalData = z.infer<typeof personalData>;

/**
 * Response of `POST /api/contact/personal-data.json`: a copy for the person, who has a right to the data. Resumes are
 * separate files, so the copy does not contain them.
 */
export const personalDataCopy = z.object({
  email: z.string(),
  inquiries: z.array(inquiryRecord),
  applications: z.array(applicationRecord),
  invitations: z.array(invitationRecord),
});

export type PersonalDataCopy = z.infer<typeof personalDataCopy>;
