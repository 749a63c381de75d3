import type * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type ApplicationRecord,
  applicationPage,
  applicationRecord,
  experienceLabel,
} from '../../domain/application.ts';
import { type InquiryRecord, inquiryPage, inquiryRecord, serviceInterestLabel } from '../../domain/inquiry.ts';
import type { Page } from '../../domain/paging.ts';
import type { SubmissionCounts } from '../../domain/submission.ts';

export type Submission = InquiryRecord | ApplicationRecord;

/** Of applications also how many are soon deleted. */
export type ListCounts = SubmissionCounts & { readonly leaving?: number };

export type SubmissionPage = Page<Submission> & { counts: ListCounts };

/** The columns of the list that differ; the names are those of the cells. */
type Cells = Readonly<Record<'company' | 'service' | 'message', string>>;

interface Kind {
  readonly one: string;
  readonly many: string;
  /** As a heading or the name of a list. */
  readonly title: string;
  readonly page: z.core.$ZodType<SubmissionPage>;
  readonly record: z.core.$ZodType<Submission>;
  readonly list: string;
  readonly csv: string;
  readonly paths: Readonly<
    Record<'get' | 'release' | 'quarantine' | 'handle' | 'note' | 'resend', (id: string) => string>
  >;
  readonly columns: Cells;
}

/** What the two lists under Contact Submissions hold, by the address's name for them. */
export const kinds = {
  inquiries: {
    one: 'inquiry',
    many: 'inquiries',
    title: 'Inquiries',
    page: inquiryPage,
    record: inquiryRecord,
    list: apiPaths.submissions,
    csv: apiPaths.submissionsCsv,
    paths: {
      get: apiPaths.submission,
      release: apiPaths.releaseSubmission,
      quarantine: apiPaths.quarantineSubmission,
      handle: apiPaths.handleSubmission,
      note: apiPaths.noteSubmission,
      resend: apiPaths.resendSubmission,
    },
    columns: { company: 'Company', service: 'Service', message: 'Message' },
  },
  applications: {
    one: 'application',
    many: 'applications',
    title: 'Applications',
    page: applicationPage,
    record: applicationRecord,
    list: apiPaths.applications,
    csv: apiPaths.applicationsCsv,
    paths: {
      get: apiPaths.application,
      release: apiPaths.releaseApplication,
      quarantine: apiPaths.quarantineApplication,
      handle: apiPaths.handleApplication,
      note: apiPaths.noteApplication,
      resend: apiPaths.resendApplication,
    },
    columns: { company: 'Position', service: 'Experience', message: 'Cover letter' },
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const isApplication = (submission: Submission): submission is ApplicationRecord => 'resume' in submission;

export const kindNameOf = (submission: Submission): KindName =>
  isApplication(submission) ? 'applications' : 'inquiries';

export function kindOf(name: KindName): Kind {
  return kinds[name];
}

export function cellsOf(submission: Submission): Cells {
  if (!isApplication(submission)) {
    const { company, serviceInterest, message } = submission;
    return { company, service: serviceInterestLabel(serviceInterest), message };
  }
  const { position, experience, coverLetter } = submission;
  return { company: position || '–', service: experienceLabel(experience) || '–', message: coverLetter };
}
