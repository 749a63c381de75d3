import { type SubmissionListQuery, submissionListQuery } from '../../domain/submission.ts';
import { type AdminList, adminList } from '../lib/list.ts';
import { type KindName, type SubmissionPage, kindOf } from './kinds.ts';

type InboxFilters = Pick<SubmissionListQuery, 'status' | 'sort'>;
export type SubmissionList = AdminList<InboxFilters, SubmissionPage>;

const { status, sort } = submissionListQuery.shape;

function listOf(kind: KindName, openIn: string, inUrl: Record<string, string> = {}): SubmissionList {
  const { paths, page: schema, many } = kindOf(kind);
  return adminList<InboxFilters, SubmissionPage>({
    path: paths.list,
    schema,
    key: ['submissions', 'list', kind],
    many,
    filters: { status, sort },
    openIn,
    inUrl,
    totalOf: ({ counts }, { status }) => counts[status],
  });
}

export const submissionLists: Readonly<Record<KindName, SubmissionList>> = {
  inquiries: listOf('inquiries', 'submission'),
  applications: listOf('applications', 'application', { list: 'applications' }),
};

/** Returns the list that a URL's query names. A link in an email names only the application. */
export function kindIn(search: string): KindName {
  const parameters = new URLSearchParams(search);
  return parameters.get('list') === 'applications' || parameters.has('application') ? 'applications' : 'inquiries';
}
