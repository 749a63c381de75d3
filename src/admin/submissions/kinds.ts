import type * as z from 'zod/mini';
import { type SubmissionPaths, apiPaths } from '../../domain/api-paths.ts';
import {
  type ApplicationRecord,
  applicationFields,
  applicationPage,
  applicationRecord,
} from '../../domain/application.ts';
import type { Fields } from '../../domain/field.ts';
import { type InquiryRecord, inquiryFields, inquiryPage, inquiryRecord } from '../../domain/inquiry.ts';
import type { Page } from '../../domain/paging.ts';
import type { SubmissionCounts } from '../../domain/submission.ts';

export type Submission = InquiryRecord | ApplicationRecord;

/** Applications also have `leaving`, the number of applications that will soon be deleted. */
type ListCounts = SubmissionCounts & { readonly leaving?: number };

export type SubmissionPage = Page<Submission> & { counts: ListCounts };

interface Kind {
  readonly one: string;
  readonly many: string;
  /** For headings and for the accessible name of the list. */
  readonly title: string;
  readonly page: z.core.$ZodType<SubmissionPage>;
  readonly record: z.core.$ZodType<Submission>;
  readonly paths: SubmissionPaths;
  readonly fields: Fields;
}

/** The two lists under Contact Submissions. The keys are the values of the URL's `list` parameter. */
export const kinds = {
  inquiries: {
    one: 'inquiry',
    many: 'inquiries',
    title: 'Inquiries',
    page: inquiryPage,
    record: inquiryRecord,
    paths: apiPaths.inquiries,
    fields: inquiryFields,
  },
  applications: {
    one: 'application',
    many: 'applications',
    title: 'Applications',
    page: applicationPage,
    record: applicationRecord,
    paths: apiPaths.applications,
    fields: applicationFields,
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const isApplication = (submission: Submission): submission is ApplicationRecord => 'resume' in submission;

export const kindNameOf = (submission: Submission): KindName =>
  isApplication(submission) ? 'applications' : 'inquiries';

export function kindOf(name: KindName): Kind {
  return kinds[name];
}
