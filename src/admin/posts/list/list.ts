import { apiPaths } from '../../../domain/api-paths.ts';
import { defaultPageSize } from '../../../domain/paging.ts';
import { type PostListQuery, type PostPage, type PostSummary, postListQuery, postPage } from '../../../domain/post.ts';
import { newSubmissionKey } from '../../../lib/forms/submission-key.ts';
import { listUrl } from '../../lib/list-url.ts';
import type { AdminList, PagedList } from '../../lib/paged-list.ts';

type PostFilters = Pick<PostListQuery, 'status' | 'sort'>;
export type PostCounts = PostPage['counts'];

const { status, sort } = postListQuery.shape;

export const postsUrl = listUrl<PostFilters>({ filters: { status, sort }, open: 'post' });
export const { open: openPost, close: closePost } = postsUrl;

/** In a link, opens a new post. The URL then gets a {@link newPostId}, so a reload finds the unsaved text again. */
export const newPost = 'new';

/** Returns an id for the unsaved text of a new post. */
export const newPostId = (): string => `${newPost}-${newSubmissionKey()}`;

export const isNewPost = (id: string): boolean => id === newPost || id.startsWith(`${newPost}-`);

/** Replaces the id in the URL, unless the admin has opened another post meanwhile. */
export function nameOpenPost(id: string, next: string): void {
  if (postsUrl.current().open === id) openPost(next);
}

/** The number of posts outside the trash. */
export const countOfAll = ({ draft, scheduled, published }: PostCounts): number => draft + scheduled + published;

const queryOf = ({ status, q, sort, after }: ReturnType<typeof postsUrl.read>): PostListQuery => ({
  status,
  q,
  sort,
  limit: defaultPageSize,
  cursor: after,
  view: 'summary',
});

export const postPages: PagedList<PostListQuery, PostSummary, PostCounts> = {
  path: apiPaths.posts,
  schema: postPage,
  key: ['posts', 'list'],
  countsKey: ['posts', 'counts'],
  countsOf: ({ counts }: PostPage) => counts,
  countsQuery: queryOf(postsUrl.read('')),
};

export const postList: AdminList<PostFilters, PostListQuery, PostSummary, PostCounts> = {
  url: postsUrl,
  pages: () => postPages,
  queryOf,
  totalOf: (counts, { status }) => (status === 'all' ? countOfAll(counts) : counts[status]),
  many: () => 'posts',
};
