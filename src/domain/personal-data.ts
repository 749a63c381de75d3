import * as z from 'zod/mini';
import { applicationRecord } from './application.ts';
import { inquiryRecord } from './inquiry.ts';
import { emailField } from './plain-text.ts';

/** Whose data it is: `GET /api/contact/personal-data` and `POST /api/contact/erase`. */
export const personQuery = z.object({ email: emailField('Please enter a valid email address.') });

/** What the site holds of a person, by e-mail address; after an erasure, what was erased. */
export const personalData = z.object({
  email: z.string(),
  /** References of inquiries, and of applications with their resumes. */
  inquiries: z.array(z.string()),
  applications: z.array(z.string()),
  /** Of these applications, those that an admin holds. */
  held: z.array(z.string()),
  /** Forms sent without scripts that wait to be mended, and submissions that wait for the database. */
  waiting: z.number(),
});

export type PersonalData = z.infer<typeof personalData>;

/** A copy of it for the person, who may ask for one: `GET /api/contact/personal-data.json`. Resumes are files of their own. */
export const personalDataCopy = z.object({
  email: z.string(),
  inquiries: z.array(inquiryRecord),
  applications: z.array(applicationRecord),
});

export type PersonalDataCopy = z.infer<typeof personalDataCopy>;
