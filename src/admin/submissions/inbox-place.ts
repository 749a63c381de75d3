import { useMemo } from 'react';
import { go, returnsTo, useSearchText } from '../ui/location.ts';
import { cursorTrail } from '../ui/paging.ts';
import { type InboxView, filtered, searchOf, viewOf } from './view.ts';

/** Marks a history entry that opened an inquiry from the list, so that closing it goes back. */
const fromList = 'inbox-list';

const trail = cursorTrail();

/** What of the inbox is shown, by the address. */
export function useInboxView(): InboxView {
  const search = useSearchText();
  return useMemo(() => viewOf(search), [search]);
}

// What changes the view reads it from the address at that moment: a late timer, or a key held down, never acts on an old one.
const current = () => viewOf(window.location.search);

/** Another place, search or order. Typing a search makes one history entry, not one for each letter. */
export function filterInbox(filter: Parameters<typeof filtered>[1]): void {
  const view = current();
  go(searchOf(filtered(view, filter)), filter.q !== undefined && view.q !== '' ? { replace: true } : {});
}

/** Opens an inquiry, or shows another one in the place of the open one. */
export function openSubmission(submission: string): void {
  const view = current();
  if (submission === view.submission) return;
  go(searchOf({ ...view, submission }), view.submission ? { replace: true } : { from: fromList });
}

/** Shows another inquiry where one is still open. */
export function followSubmission(submission: string): void {
  if (current().submission) openSubmission(submission);
}

export function closeSubmission(): void {
  const view = current();
  if (!view.submission) return;
  if (returnsTo(fromList)) window.history.back();
  else go(searchOf({ ...view, submission: undefined }), { replace: true });
}

/** The page after this one. What is open stays open; closing it then stays on that page. */
export function olderPage(cursor: string): void {
  const view = current();
  turn({ ...view, ...trail.on(view, cursor) });
}

/** The page before this one; the first one where this page was reached by its address. */
export function newerPage(): void {
  const view = current();
  turn({ ...view, ...trail.back(view) });
}

function turn(view: InboxView): void {
  go(searchOf(view), view.submission ? { replace: true, from: undefined } : {});
}
