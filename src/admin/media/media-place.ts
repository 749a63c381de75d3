import { useMemo } from 'react';
import { go, returnsTo, useSearchText } from '../ui/location.ts';
import { cursorTrail } from '../ui/paging.ts';
import { type MediaView, firstView, searchOf, viewOf } from './view.ts';

/** Marks a history entry that opened a file from the grid, so that closing it goes back. */
const fromGrid = 'media-grid';

const trail = cursorTrail();

/** What of the library is shown, by the address. */
export function useMediaView(): MediaView {
  const search = useSearchText();
  return useMemo(() => viewOf(search), [search]);
}

const current = () => viewOf(window.location.search);

/** Another kind or search. Typing a search makes one history entry, not one for each letter. */
export function filterMedia(filter: Partial<Pick<MediaView, 'kind' | 'q'>>): void {
  const view = current();
  const search = searchOf({ ...firstView, kind: view.kind, q: view.q, ...filter });
  go(search, filter.q !== undefined && view.q !== '' ? { replace: true } : {});
}

export function openFile(file: string): void {
  const view = current();
  if (file === view.file) return;
  go(searchOf({ ...view, file }), view.file ? { replace: true } : { from: fromGrid });
}

export function closeFile(): void {
  const view = current();
  if (!view.file) return;
  if (returnsTo(fromGrid)) window.history.back();
  else go(searchOf({ ...view, file: undefined }), { replace: true });
}

export function olderFiles(cursor: string): void {
  const view = current();
  go(searchOf({ ...view, ...trail.on(view, cursor) }));
}

export function newerFiles(): void {
  const view = current();
  go(searchOf({ ...view, ...trail.back(view) }));
}
