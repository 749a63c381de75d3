import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Shortcuts } from './use-shortcuts.ts';

/** A row, by the id of what it shows and by its place among the shown ones. */
export interface RowPlace {
  readonly id: string;
  readonly index: number;
}

interface RowWalk {
  rows: readonly { readonly id: string }[];
  /** True while `rows` are still those of another page. */
  outdated: boolean;
  /** What is open beside the list. */
  openId?: string | undefined;
  /** Shows another row's in the place of what is open. */
  onFollow?: (id: string) => void;
  onOlder: (() => void) | undefined;
  onNewer: (() => void) | undefined;
}

/** A held key repeats about thirty times a second; what is open follows when it is let go. */
const followDelayMs = 150;

/** Moves through the list by keys: the active row, the focus, and what is shown where one is open. */
export function useRowWalk({ rows, outdated, openId, onFollow, onOlder, onNewer }: RowWalk) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState<RowPlace>();
  const arriving = useRef<'first' | 'last' | null>(null);
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);

  const found = rows.findIndex((row) => row.id === (active?.id ?? openId));
  // A row that was moved away leaves its place to the one after it, which is then the next.
  const index = found !== -1 ? found : Math.min(active?.index ?? 0, rows.length - 1);
  const after = active !== undefined && found === -1 ? index : index + 1;

  const show = (at: number, delayMs = 0) => {
    const row = rows[at];
    if (!row) return;
    setActive({ id: row.id, index: at });
    if (!focusIsInPane()) rowLink(body, at)?.focus();
    clearTimeout(following.current);
    if (openId && openId !== row.id) following.current = setTimeout(() => onFollow?.(row.id), delayMs);
  };

  const turn = (to: 'first' | 'last', go: (() => void) | undefined) => {
    if (outdated || !go) return;
    arriving.current = to;
    go();
  };

  // After a page was turned, the walk goes on in the new one as soon as its rows are there.
  useEffect(() => {
    if (outdated || arriving.current === null || rows.length === 0) return;
    show(arriving.current === 'first' ? 0 : rows.length - 1);
    arriving.current = null;
  });

  // What is open takes room from the list, and its row stays in sight.
  const showRow = useEffectEvent(() => body.current?.rows[index]?.scrollIntoView({ block: 'nearest' }));
  useEffect(() => {
    if (openId) showRow();
  }, [openId]);

  const step = (by: 1 | -1, event?: KeyboardEvent): void => {
    // The first press leads into the list, to the row that is in the tab order.
    const entering = !openId && !body.current?.contains(document.activeElement);
    const to = entering ? index : by === 1 ? after : index - 1;
    if (to < 0) turn('last', onNewer);
    else if (to >= rows.length) turn('first', onOlder);
    else show(to, event?.repeat ? followDelayMs : 0);
  };
  // An arrow scrolls the page where the focus is not in the list.
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

function rowLink(body: RefObject<HTMLTableSectionElement | null>, index: number): HTMLElement | null | undefined {
  return body.current?.rows[index]?.querySelector('a');
}

/** The focus stays in what is open while the keys lead through the list. */
function focusIsInPane(): boolean {
  return Boolean(document.activeElement?.closest('.side-panel, dialog'));
}
