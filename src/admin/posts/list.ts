import { apiPaths } from '../../domain/api-paths.ts';
import { type PostListQuery, type PostPage, postListQuery, postPage } from '../../domain/post.ts';
import { newSubmissionKey } from '../../lib/forms/submission-key.ts';
import { adminList } from '../lib/list.ts';

const { status, sort } = postListQuery.shape;

export const postList = adminList<Pick<PostListQuery, 'status' | 'sort'>, PostPage>({
  path: apiPaths.posts,
  schema: postPage,
  key: ['posts', 'list'],
  many: 'posts',
  filters: { status, sort },
  openIn: 'post',
  inQuery: { view: 'summary' },
  totalOf: ({ counts }, { status }) => (status === 'all' ? countOfAll(counts) : counts[status]),
});
export const { open: openPost, close: closePost } = postList;

/** In a link, opens a new post. The URL then gets a {@link newPostId}, so a reload finds the unsaved text again. */
export const newPost = 'new';

/** Returns an id for the unsaved text of a new post. */
export const newPostId = (): string => `${newPost}-${newSubmissionKey()}`;

export const isNewPost = (id: string): boolean => id === newPost || id.startsWith(`${newPost}-`);

/** Replaces the id in the URL, unless the admin has opened another post meanwhile. */
export function nameOpenPost(id: string, next: string): void {
  if (postList.current().open === id) openPost(next);
}

/** The number of posts outside the trash. */
export function countOfAll({ draft, scheduled, published }: PostPage['counts']): number {
  return draft + scheduled + published;
}
