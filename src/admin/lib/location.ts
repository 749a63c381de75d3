import { type MouseEvent, useSyncExternalStore } from 'react';

/** Dispatched after each change of the URL here, because browsers fire `popstate` only for Back and Forward. */
const wentEvent = 'admin:went';

function subscribe(listener: () => void): () => void {
  const ended = new AbortController();
  for (const event of ['popstate', wentEvent]) window.addEventListener(event, listener, ended);
  return () => ended.abort();
}

/** Returns the current URL's query, and rerenders after {@link go} and after Back and Forward. */
export function useLocationSearch(): string {
  return useSyncExternalStore(
    subscribe,
    () => window.location.search,
    () => '',
  );
}

/**
 * Changes the URL's query without reloading the document.
 * @param search starts with a question mark and names the dashboard's tab; empty for the first tab.
 * @param options.replace replaces the current history entry.
 * @param options.from a string to store in the history entry, for {@link returnsTo}. A replaced entry keeps its string
 * unless this option is given.
 */
export function go(search: string, options: { replace?: boolean; from?: string | undefined } = {}): void {
  const address = window.location.pathname + search;
  const state: unknown = options.replace && !('from' in options) ? window.history.state : { from: options.from };
  if (options.replace) window.history.replaceState(state, '', address);
  else window.history.pushState(state, '', address);
  window.dispatchEvent(new Event(wentEvent));
}

/**
 * Returns whether the Back button leads to the list named `from`. {@link go} stores the name of the list from which the
 * admin opened the current history entry.
 */
export function returnsTo(from: string): boolean {
  return (window.history.state as { from?: string } | null)?.from === from;
}

/**
 * Returns a handler for clicks on a link to something that opens without a reload. If a modifier key is held, the
 * browser opens the link in a new tab or window instead.
 */
export function onPlainClick(open: () => unknown) {
  return (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  };
}
