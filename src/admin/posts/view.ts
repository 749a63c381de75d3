import * as z from 'zod/mini';
import { type PostListQuery, postListQuery } from '../../domain/post.ts';
import { defaultPageSize } from '../../domain/paging.ts';

/** What of the posts is shown. It stands in the address, so that reload, back and a copied link keep it. */
export interface PostsView {
  readonly status: PostListQuery['status'];
  readonly q: string;
  readonly sort: PostListQuery['sort'];
  readonly page: number;
  readonly after: string | undefined;
  /** The id of the post that is being edited, or {@link newPost}. */
  readonly post: string | undefined;
}

/** Stands in the address while a post is written that is not saved yet. */
export const newPost = 'new';

const firstView: PostsView = {
  status: 'all',
  q: '',
  sort: '-createdAt',
  page: 1,
  after: undefined,
  post: undefined,
};

const pageNumber = z.coerce.number().check(z.int(), z.gte(2), z.lte(1_000_000));

/** Reads an address's query. What it does not understand counts as not said. */
export function viewOf(search: string): PostsView {
  const parameters = new URLSearchParams(search);
  const { shape } = postListQuery;
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
    post: parameters.get('post') ?? undefined,
  };
}

/** The address's query for a view; what goes without saying is left out. */
export function searchOf(view: PostsView): string {
  const parameters = new URLSearchParams();
  for (const name of ['status', 'q', 'sort', 'page', 'after', 'post'] as const) {
    const value = view[name];
    if (value !== undefined && value !== firstView[name]) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

/** The same posts from the first page on, under another filter; nothing is open then. */
export function filtered(view: PostsView, filter: Partial<Pick<PostsView, 'status' | 'q' | 'sort'>>): PostsView {
  return { ...firstView, status: view.status, q: view.q, sort: view.sort, ...filter };
}

/** The list that a view shows, as the API is asked for it. */
export function listQueryOf({ status, q, sort, after }: PostsView): PostListQuery {
  return { status, q, sort, limit: defaultPageSize, cursor: after, view: 'summary' };
}
