import type * as z from 'zod/mini';
import type { SubmissionPaths } from '../../domain/api-paths.ts';
import { type Fields, type Shown, shownFields } from '../../domain/field.ts';
import type { Page } from '../../domain/text/paging.ts';
import {
  type SubmissionCounts,
  type SubmissionListQuery,
  folderOf,
  submissionListQuery,
} from '../../domain/submissions/submission.ts';
import { type Submission, isApplication, submissionKinds } from '../../domain/submissions/submission-kinds.ts';
import { type AdminList, adminList } from '../lists/list.ts';

/** One of a submission's messages: an email to the firm, an email to the sender, or a message to the team chat. */
export type MessageId = keyof Submission['delivery'];

export type SubmissionPage = Page<Submission> & { counts: SubmissionCounts };

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
  { many, page, paths }: { many: KindName; page: z.core.$ZodType<SubmissionPage>; paths: SubmissionPaths },
  url: { openIn: string; openAlsoIn?: string; inUrl: Readonly<Record<string, string>> },
) =>
  adminList<Filters, SubmissionPage>({
    path: paths.list,
    schema: page,
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
    ...submissionKinds.inquiry,
    title: 'Inquiries',
    list: listOf(submissionKinds.inquiry, { inUrl: { tab: 'submissions' }, openIn: 'submission' }),
  },
  applications: {
    ...submissionKinds.application,
    title: 'Applications',
    list: listOf(submissionKinds.application, {
      inUrl: { tab: 'submissions', list: 'applications' },
      openIn: 'application',
      openAlsoIn: 'submission',
    }),
  },
};

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
