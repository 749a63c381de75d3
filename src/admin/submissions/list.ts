import * as z from 'zod/mini';
import { defaultPageSize } from '../../domain/paging.ts';
import { type SubmissionListQuery, type SubmissionFolder, submissionListQuery } from '../../domain/submission.ts';
import { listUrl } from '../lib/list-url.ts';
import type { AdminList, PagedList } from '../lib/paged-list.ts';
import { type KindName, type ListCounts, type Submission, type SubmissionPage, kindOf, kinds } from './kinds.ts';

interface InboxFilters {
  readonly list: KindName;
  readonly status: SubmissionFolder;
  readonly sort: SubmissionListQuery['sort'];
}

const { status, sort } = submissionListQuery.shape;

export const inboxUrl = listUrl<InboxFilters>({
  filters: {
    list: z._default(z.enum(Object.keys(kinds) as [KindName, ...KindName[]]), 'inquiries'),
    status,
    sort,
  },
  open: 'submission',
  // Links in emails have the form `?application=ID`. `submission` is added when the admin then opens another one.
  linked: (parameters) =>
    parameters.has('application')
      ? { list: 'applications', open: parameters.get('submission') ?? parameters.get('application') ?? undefined }
      : {},
});

/** Describes the list of inquiries or applications for the shared list code. */
export function submissionPages(kind: KindName): PagedList<SubmissionListQuery, Submission, ListCounts> {
  const { paths, page: schema } = kindOf(kind);
  return {
    path: paths.list,
    schema,
    key: ['submissions', 'list', kind],
    countsKey: ['submissions', 'counts', kind],
    countsOf: ({ counts }: SubmissionPage) => counts,
    countsQuery: inbox.queryOf(inboxUrl.read('')),
  };
}

export const inbox: AdminList<InboxFilters, SubmissionListQuery, Submission, ListCounts> = {
  url: inboxUrl,
  pages: ({ list }) => submissionPages(list),
  queryOf: ({ status, q, sort, after }) => ({ status, q, sort, limit: defaultPageSize, cursor: after }),
  totalOf: (counts, { status }) => counts[status],
  many: ({ list }) => kinds[list].many,
};
