import { type PostListQuery, type PostPage, postListQuery } from '../../domain/post.ts';
import { defaultPageSize } from '../../domain/paging.ts';
import { type ListView, readListView, viewSearch } from '../ui/list-view.ts';

/** What of the posts is shown. */
export interface PostsView extends ListView<PostListQuery['status'], PostListQuery['sort']> {
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

/** How many posts there are outside the trash. */
export const countOfAll = ({ draft, scheduled, published }: PostPage['counts']): number =>
  draft + scheduled + published;

/** Reads an address's query. What it does not understand counts as not said. */
export function viewOf(search: string): PostsView {
  const parameters = new URLSearchParams(search);
  return {
    ...readListView(parameters, postListQuery.shape, firstView),
    post: parameters.get('post') ?? undefined,
  };
}

/** The address's query for a view. */
export const searchOf = (view: PostsView): string => viewSearch(view, firstView);

/** The same posts from the first page on, under another filter; nothing is open then. */
export function filtered(view: PostsView, filter: Partial<Pick<PostsView, 'status' | 'q' | 'sort'>>): PostsView {
  return { ...firstView, status: view.status, q: view.q, sort: view.sort, ...filter };
}

/** The list that a view shows, as the API is asked for it. */
export function listQueryOf({ status, q, sort, after }: PostsView): PostListQuery {
  return { status, q, sort, limit: defaultPageSize, cursor: after, view: 'summary' };
}
