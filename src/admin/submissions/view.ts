import * as z from 'zod/mini';
import { defaultPageSize } from '../../domain/paging.ts';
import { type SubmissionListQuery, type SubmissionPlace, submissionListQuery } from '../../domain/submission.ts';
import { type KindName, kinds } from './kinds.ts';

/** What of the inbox is shown. It stands in the address, so that reload, back and a copied link keep it. */
export interface InboxView {
  /** Inquiries or applications. */
  readonly list: KindName;
  readonly status: SubmissionPlace;
  readonly q: string;
  readonly sort: SubmissionListQuery['sort'];
  /** Counted from 1; only for people, the cursor is what finds the rows. */
  readonly page: number;
  /** The list's cursor at which the page begins; none on the first one. */
  readonly after: string | undefined;
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
const pageNumber = z.coerce.number().check(z.int(), z.gte(2), z.lte(1_000_000));

/** Reads an address's query. What it does not understand counts as not said. */
export function viewOf(search: string): InboxView {
  const parameters = new URLSearchParams(search);
  const { shape } = submissionListQuery;
  const read = <T>(schema: z.ZodMiniType<T>, name: string, otherwise: T): T => {
    const value = parameters.get(name);
    const parsed = value === null ? undefined : schema.safeParse(value);
    return parsed?.success ? parsed.data : otherwise;
  };
  const after = read(shape.cursor, 'after', undefined);
  const list = parameters.has('application') ? 'applications' : read(listName, 'list', firstView.list);
  return {
    list,
    status: read(shape.status, 'status', firstView.status),
    q: read(shape.q, 'q', firstView.q),
    sort: read(shape.sort, 'sort', firstView.sort),
    page: after === undefined ? 1 : read(pageNumber, 'page', 2),
    after,
    // A link from a mail names an application so.
    submission: parameters.get('submission') ?? parameters.get('application') ?? undefined,
  };
}

/** The address's query for a view; what goes without saying is left out. */
export function searchOf(view: InboxView): string {
  const parameters = new URLSearchParams();
  for (const name of ['list', 'status', 'q', 'sort', 'page', 'after', 'submission'] as const) {
    const value = view[name];
    if (value !== undefined && value !== firstView[name]) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

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
