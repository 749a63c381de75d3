import * as z from 'zod/mini';
import { defaultPageSize } from '../../domain/paging.ts';
import { type SubmissionListQuery, type SubmissionPlace, submissionListQuery } from '../../domain/submission.ts';
import { type ListView, readListView, readParameter, viewSearch } from '../ui/list-view.ts';
import { type KindName, kinds } from './kinds.ts';

/** What of the inbox is shown. */
export interface InboxView extends ListView<SubmissionPlace, SubmissionListQuery['sort']> {
  /** Inquiries or applications. */
  readonly list: KindName;
  /** The id of what is open. */
  readonly submission: string | undefined;
}

const firstView: InboxView = {
  list: 'inquiries',
  status: 'inbox',
  q: '',
  sort: '-createdAt',
  page: 1,
  after: undefined,
  submission: undefined,
};

const listName = z.enum(Object.keys(kinds) as [KindName, ...KindName[]]);

/** Reads an address's query. What it does not understand counts as not said. */
export function viewOf(search: string): InboxView {
  const parameters = new URLSearchParams(search);
  const named = readParameter(parameters, 'list', listName, firstView.list);
  return {
    ...readListView(parameters, submissionListQuery.shape, firstView),
    // A link from a mail names an application so.
    list: parameters.has('application') ? 'applications' : named,
    submission: parameters.get('submission') ?? parameters.get('application') ?? undefined,
  };
}

/** The address's query for a view. */
export const searchOf = (view: InboxView): string => viewSearch(view, firstView);

/** The same rows from the first page on, under another filter; nothing is open then. */
export function filtered(
  view: InboxView,
  filter: Partial<Pick<InboxView, 'list' | 'status' | 'q' | 'sort'>>,
): InboxView {
  return { ...firstView, list: view.list, status: view.status, q: view.q, sort: view.sort, ...filter };
}

/** The list that a view shows, as the API is asked for it. */
export function listQueryOf({ status, q, sort, after }: InboxView): SubmissionListQuery {
  return { status, q, sort, limit: defaultPageSize, cursor: after };
}
