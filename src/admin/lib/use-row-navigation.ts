import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Shortcuts } from './use-shortcuts.ts';

/** The row that the Tab key reaches (all other rows are skipped), and its index among the visible rows. */
export interface ActiveRow {
  readonly id: string;
  readonly index: number;
}

interface RowNavigationOptions {
  rows: readonly { readonly id: string }[];
  /** Whether `rows` still belong to the page that was shown before, because the new page is loading. */
  outdated: boolean;
  /** The id of the row that is open next to the list. */
  openId: string | undefined;
  /** Opens another row instead of the open row. */
  onFollow: (id: string) => void;
  onOlder: (() => void) | undefined;
  onNewer: (() => void) | undefined;
}

/**
 * While a key is held, the open row changes this many milliseconds after the active row. A held key repeats about
 * every 33 ms and restarts the delay, so the open row changes only after the key is released.
 */
const followDelayMs = 150;

/** Manages keyboard navigation in a list: the active row, the focus, and the open row. */
export function useRowNavigation({ rows, outdated, openId, onFollow, onOlder, onNewer }: RowNavigationOptions) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState<ActiveRow>();
  const arriving = useRef<'first' | 'last' | null>(null);
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);

  const found = rows.findIndex((row) => row.id === (active?.id ?? openId));
  // When the active row leaves the list, the next row takes its index and becomes the active row.
  const index = found !== -1 ? found : Math.min(active?.index ?? 0, rows.length - 1);
  const after = active !== undefined && found === -1 ? index : index + 1;

  const show = (at: number, delayMs = 0) => {
    const row = rows[at];
    if (!row) return;
    setActive({ id: row.id, index: at });
    if (!focusIsInPane()) rowLink(body, at)?.focus();
    clearTimeout(following.current);
    if (openId && openId !== row.id) following.current = setTimeout(() => onFollow(row.id), delayMs);
  };

  const turn = (to: 'first' | 'last', go: (() => void) | undefined) => {
    if (outdated || !go) return;
    arriving.current = to;
    go();
  };

  // After a page change, activates a row before the browser paints the new page, so the next key acts on that page.
  useLayoutEffect(() => {
    if (outdated || arriving.current === null || rows.length === 0) return;
    show(arriving.current === 'first' ? 0 : rows.length - 1);
    arriving.current = null;
  });

  // The open panel narrows the list, so the open row may need to be scrolled into view.
  const showRow = useEffectEvent(() => body.current?.rows[index]?.scrollIntoView({ block: 'nearest' }));
  useEffect(() => {
    if (openId) showRow();
  }, [openId]);

  const step = (by: 1 | -1, event?: KeyboardEvent): void => {
    // If no row is open and the focus is outside the list, the first key press only focuses the active row.
    const entering = !openId && !body.current?.contains(document.activeElement);
    const to = entering ? index : by === 1 ? after : index - 1;
    if (to < 0) turn('last', onNewer);
    else if (to >= rows.length) turn('first', onOlder);
    else show(to, event?.repeat ? followDelayMs : 0);
  };
  // Outside the list, the arrow keys scroll the page.
  const arrow = (by: 1 | -1) => (event: KeyboardEvent, target: Element) => {
    if (!body.current?.contains(target)) return false;
    step(by, event);
    return true;
  };
  const keys: Shortcuts = {
    j: (event) => step(1, event),
    k: (event) => step(-1, event),
    ArrowDown: arrow(1),
    ArrowUp: arrow(-1),
  };

  return {
    body,
    keys,
    index,
    activeId: rows[index]?.id,
    activate: setActive,
    focusActive: () => rowLink(body, index)?.focus(),
    older: onOlder && (() => turn('first', onOlder)),
    newer: onNewer && (() => turn('first', onNewer)),
    canStep: (by: 1 | -1) => (by === 1 ? after < rows.length || Boolean(onOlder) : index > 0 || Boolean(onNewer)),
    step,
  };
}

export type RowNavigation = ReturnType<typeof useRowNavigation>;

function rowLink(body: RefObject<HTMLTableSectionElement | null>, index: number): HTMLElement | null | undefined {
  return body.current?.rows[index]?.querySelector('a');
}

/** Whether the focus is in an open panel or dialog. The focus then stays there while keys move through the list. */
function focusIsInPane(): boolean {
  return Boolean(document.activeElement?.closest('.side-panel, dialog'));
}
