import { useMemo } from 'react';
import { go, returnsTo, useSearchText } from '../ui/location.ts';
import { cursorTrail } from '../ui/paging.ts';
import { type PostsView, filtered, newPost, searchOf, viewOf } from './view.ts';

/** Marks a history entry that opened a post from the list, so that closing it goes back. */
const fromList = 'posts-list';
const trail = cursorTrail();

/** What of the posts is shown, by the address. */
export function usePostsView(): PostsView {
  const search = useSearchText();
  return useMemo(() => viewOf(search), [search]);
}

// What changes the view reads it from the address at that moment: a late timer never acts on an old one.
const current = () => viewOf(window.location.search);

/** Another status, search or order. Typing a search makes one history entry, not one for each letter. */
export function filterPosts(filter: Parameters<typeof filtered>[1]): void {
  const view = current();
  go(searchOf(filtered(view, filter)), filter.q !== undefined && view.q !== '' ? { replace: true } : {});
}

export function openPost(post: string): void {
  const view = current();
  if (post !== view.post) go(searchOf({ ...view, post }), view.post ? { replace: true } : { from: fromList });
}

/** A new post was saved while it is open: the address names it, and closing it leads where it led before. */
export function nameOpenPost(post: string): void {
  const view = current();
  if (view.post === newPost) go(searchOf({ ...view, post }), { replace: true });
}

export function closePost(): void {
  const view = current();
  if (!view.post) return;
  if (returnsTo(fromList)) window.history.back();
  else go(searchOf({ ...view, post: undefined }), { replace: true });
}

export function nextPage(cursor: string): void {
  const view = current();
  go(searchOf({ ...view, ...trail.on(view, cursor) }));
}

export function previousPage(): void {
  const view = current();
  go(searchOf({ ...view, ...trail.back(view) }));
}
