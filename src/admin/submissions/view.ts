import * as z from 'zod/mini';
import { defaultPageSize } from '../../domain/paging.ts';
import { type SubmissionListQuery, type SubmissionStatus, submissionListQuery } from '../../domain/submission.ts';

/** What of the inbox is shown. It stands in the address, so that reload, back and a copied link keep it. */
export interface InboxView {
  readonly status: SubmissionStatus;
  readonly q: string;
  readonly sort: SubmissionListQuery['sort'];
  /** Counted from 1; only for people, the cursor is what finds the rows. */
  readonly page: number;
  /** The list's cursor at which the page begins; none on the first one. */
  readonly after: string | undefined;
  /** The id of the inquiry that is open. */
  readonly submission: string | undefined;
}

const firstView: InboxView = {
  status: 'inbox',
  q: '',
  sort: '-createdAt',
  page: 1,
  after: undefined,
  submission: undefined,
};

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
  return {
    status: read(shape.status, 'status', firstView.status),
    q: read(shape.q, 'q', firstView.q),
    sort: read(shape.sort, 'sort', firstView.sort),
    page: after === undefined ? 1 : read(pageNumber, 'page', 2),
    after,
    submission: parameters.get('submission') ?? undefined,
  };
}

/** The address's query for a view; what goes without saying is left out. */
export function searchOf(view: InboxView): string {
  const parameters = new URLSearchParams();
  for (const name of ['status', 'q', 'sort', 'page', 'after', 'submission'] as const) {
    const value = view[name];
    if (value !== undefined && value !== firstView[name]) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** The same rows from the first page on, under another filter; nothing is open then. */
export function filtered(view: InboxView, filter: Partial<Pick<InboxView, 'status' | 'q' | 'sort'>>): InboxView {
  return { ...firstView, status: view.status, q: view.q, sort: view.sort, ...filter };
}

/** The list that a view shows, as the API is asked for it. */
export function listQueryOf({ status, q, sort, after }: InboxView): SubmissionListQuery {
  return { status, q, sort, limit: defaultPageSize, cursor: after };
}
