import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { type Page, defaultPageSize } from '../../domain/text/paging.ts';
import { numberText } from '../../domain/text/text.ts';
import { useLocationSearch } from '../lib/location.ts';
import { type AdminList, type ListView, pageNumber, usePage } from './list.ts';

type Row = { readonly id: string };

/** A list in a dialog has its own `view`, because the URL belongs to the screen behind the dialog. */
type ListSource<Filters, P extends Page<Row>> = AdminList<Filters, P> & { readonly view?: ListView<Filters> };

/** Fetches a list's page. Unless the list has its own view, registers the keys of a list: `/`, `j`, `k` and Esc. */
export function useList<Filters, P extends Page<Row>>(list: ListSource<Filters, P>) {
  const viewInUrl = list.read(useLocationSearch());
  const { view = viewInUrl, filter, next, previous } = list;
  const page = usePage(list, view);
  const client = useQueryClient();
  const searchField = useRef<HTMLInputElement>(null);
  const { data, isPlaceholderData: outdated } = page;
  const rows: P['data'] = data?.data ?? [];
  const nextCursor = data?.nextCursor ?? null;
  const total = data && view.q === '' ? list.totalOf(data, view) : undefined;
  const openAt = rows.findIndex(({ id }) => id === view.open);

  const shown = openAt !== -1;
  // The open panel narrows the list, so the open row may need to be scrolled into view.
  useEffect(() => {
    if (shown) rowOf(view.open)?.scrollIntoView({ block: 'nearest' });
  }, [view.open, shown]);

  /** Opens another row of the page if a row is open. Otherwise, focuses another row. */
  const step = (by: 1 | -1): boolean => {
    const at = openAt === -1 ? rows.findIndex(({ id }) => id === focusedRow()) : openAt;
    const to = rows[at === -1 ? 0 : at + by];
    if (!to) return false;
    if (openAt === -1) focusRow(to.id);
    else list.open(to.id);
    return true;
  };
  const close = () => {
    list.close();
    focusRow(view.open);
  };
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    '/': () => searchField.current?.focus(),
    Escape: () => (view.open === undefined ? false : close()),
  };
  useShortcuts(list.view ? {} : keys);

  return {
    view,
    page,
    rows,
    searchField,
    step,
    close,
    many: list.many,
    filter,
    /** Whether the rows still belong to the page or search that was shown before, because the new page is loading. */
    outdated,
    /** Returns the id of the next or the previous row of the page, if there is one. */
    neighbor: (by: 1 | -1): string | undefined => (openAt === -1 ? undefined : rows[openAt + by]?.id),
    /** The range of the visible rows, such as `51–100 of 3,412`; empty while another page loads. */
    range: outdated
      ? ''
      : rows.length === 0
        ? `No ${list.many}`
        : rangeText(pageNumber(view), rows.length, total, nextCursor !== null),
    older: nextCursor === null ? undefined : () => next(nextCursor),
    newer: view.after === '' ? undefined : previous,
    refreshing: page.isFetching && !page.isPending && !outdated,
    /** Refetches all queries for this kind of record, such as every list of posts and the open post. */
    refresh: () => void client.invalidateQueries({ queryKey: list.key.slice(0, 1) }),
    /** Returns the URL query that opens a row. */
    hrefOf: (id: string) => list.write({ ...view, open: id }),
  };
}

/** The part of {@link useList} that the shared list components use. */
export type ShownList<Of extends Row = Row> = Omit<
  ReturnType<typeof useList<{ sort?: string }, Page<Of>>>,
  'filter'
> & { filter(this: void, changes: { q?: string; sort?: 'createdAt' | '-createdAt' }): void };

/** Returns the id of the row that contains the focus. */
export function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

function rowOf(id: string | undefined): Element | undefined {
  return [...document.querySelectorAll<HTMLElement>('[data-row]')].find(({ dataset }) => dataset['row'] === id);
}

export function focusRow(id: string | undefined): void {
  rowOf(id)?.querySelector('a')?.focus();
}

/**
 * Returns the range of the visible rows, such as `51–100 of 3,412`.
 * @param page starts at 1.
 * @param total the number of rows of all pages, if it is known.
 */
export function rangeText(page: number, rows: number, total: number | undefined, hasMore: boolean): string {
  const first = (page - 1) * defaultPageSize + 1;
  const last = first + rows - 1;
  const whole = total ?? (hasMore ? undefined : last);
  const of = whole === undefined ? `more than ${numberText(last)}` : numberText(Math.max(whole, last));
  return `${numberText(first)}–${numberText(last)} of ${of}`;
}

/** Handlers by `KeyboardEvent.key`. If a handler returns false, the browser handles the key. */
type Shortcuts = Readonly<Record<string, () => boolean | void>>;

/**
 * Calls the handler of the pressed key. Ignores keys pressed with Ctrl, Alt or Cmd, in a field, or while a dialog other
 * than a drawer is open.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  useKeyDown((event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest('input, textarea, select, [contenteditable]')) return;
    if (document.querySelector('dialog[open]:not([data-placement=drawer])')) return;
    const act = shortcuts[event.key];
    if (act && act() !== false) event.preventDefault();
  });
}

/** Saves an editor with Ctrl+S or Cmd+S, unless another dialog is open over the editor. */
export function useSaveKey(editor: RefObject<Element | null>, save: () => unknown): void {
  useKeyDown((event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
    if (!dialog || dialog.contains(editor.current)) save();
  });
}

function useKeyDown(handle: (event: KeyboardEvent) => void): void {
  const onKeyDown = useEffectEvent(handle);
  // Not `useEffect`, which may run after the component appears and miss the first key.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
