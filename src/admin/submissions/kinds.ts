import type * as z from 'zod/mini';
import { type SubmissionPaths, apiPaths } from '../../domain/api-paths.ts';
import {
  type ApplicationRecord,
  applicationFields,
  applicationPage,
  applicationRecord,
} from '../../domain/application.ts';
import { type Fields, type Shown, shownFields } from '../../domain/field.ts';
import { type InquiryRecord, inquiryFields, inquiryPage, inquiryRecord } from '../../domain/inquiry.ts';
import type { Page } from '../../domain/paging.ts';
import {
  type SubmissionCounts,
  type SubmissionListQuery,
  folderOf,
  submissionListQuery,
} from '../../domain/submission.ts';
import { type AdminList, adminList } from '../lib/list.ts';

export type Submission = InquiryRecord | ApplicationRecord;

/** Applications also have `leaving`, the number of applications that will soon be deleted. */
export type SubmissionPage = Page<Submission> & { counts: SubmissionCounts & { readonly leaving?: number } };

type Filters = Pick<SubmissionListQuery, 'status' | 'sort'>;
const { status, sort } = submissionListQuery.shape;

export type KindName = 'inquiries' | 'applications';

interface Kind {
  readonly one: string;
  readonly many: KindName;
  /** For headings and for the accessible name of the list. */
  readonly title: string;
  readonly record: z.core.$ZodType<Submission>;
  readonly paths: SubmissionPaths;
  readonly fields: Fields;
  readonly list: AdminList<Filters, SubmissionPage>;
}

const listOf = (
  many: KindName,
  schema: z.core.$ZodType<SubmissionPage>,
  url: { openIn: string; openAlsoIn?: string; inUrl?: Readonly<Record<string, string>> },
) =>
  adminList<Filters, SubmissionPage>({
    path: apiPaths[many].list,
    schema,
    key: ['submissions', 'list', many],
    many,
    filters: { status, sort },
    totalOf: ({ counts }, view) => counts[view.status],
    shows: (row, view) => folderOf(row) === view.status,
    ...url,
  });

/** The two lists under Contact Submissions. The keys are the values of the URL's `list` parameter. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  inquiries: {
    one: 'inquiry',
    many: 'inquiries',
    title: 'Inquiries',
    record: inquiryRecord,
    paths: apiPaths.inquiries,
    fields: inquiryFields,
    list: listOf('inquiries', inquiryPage, { openIn: 'submission' }),
  },
  applications: {
    one: 'application',
    many: 'applications',
    title: 'Applications',
    record: applicationRecord,
    paths: apiPaths.applications,
    fields: applicationFields,
    list: listOf('applications', applicationPage, {
      inUrl: { list: 'applications' },
      openIn: 'application',
      openAlsoIn: 'submission',
    }),
  },
};

export const isApplication = (submission: Submission): submission is ApplicationRecord => 'resume' in submission;

export const kindOf = (submission: Submission): Kind => kinds[isApplication(submission) ? 'applications' : 'inquiries'];

/** Returns the fields of a submission as text. */
export const shownOf = (submission: Submission): Shown[] => shownFields(kindOf(submission).fields, submission);

/** Whether a field contains multiline text, which is shown below the other fields. */
export const isLong = ({ field }: Shown): boolean => field.kind === 'lines';

/** Returns the list that a URL's query names. A link in an email names only the application. */
export function kindIn(search: string): KindName {
  const parameters = new URLSearchParams(search);
  return parameters.get('list') === 'applications' || parameters.has('application') ? 'applications' : 'inquiries';
}
