import { useSyncExternalStore } from 'react';

/** Fired by {@link go}: the browser itself announces only going back and forward. */
const wentEvent = 'admin:went';

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(wentEvent, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(wentEvent, listener);
  };
}

/** The address's query, kept current through {@link go} and the browser's own buttons. */
export function useSearchText(): string {
  return useSyncExternalStore(
    subscribe,
    () => window.location.search,
    () => '',
  );
}

/** The parameter that names the dashboard's tab. A screen's own parameters stand beside it, and say nothing of it. */
const tabParameter = 'tab';

/** The tab that an address's query names; null where it names none. */
export function tabIn(search: string): string | null {
  return new URLSearchParams(search).get(tabParameter);
}

/** Another tab of the dashboard, without what the address said of the one before. @param id null for the first tab. */
export function goToTab(id: string | null): void {
  window.history.pushState(null, '', window.location.pathname + withTab('', id));
  window.dispatchEvent(new Event(wentEvent));
}

function withTab(search: string, id: string | null): string {
  if (id === null) return search;
  const tab = new URLSearchParams({ [tabParameter]: id }).toString();
  return search.length > 1 ? `?${tab}&${search.slice(1)}` : `?${tab}`;
}

/**
 * Changes the query of the tab that is shown, without loading anything.
 * @param search with its question mark, or empty; the tab's name is added to it.
 * @param options.replace takes the place of the current entry in the browser's history.
 * @param options.from a word kept with the entry, for {@link returnsTo}; an entry that is replaced keeps its own unless given.
 */
export function go(search: string, options: { replace?: boolean; from?: string | undefined } = {}): void {
  const address = window.location.pathname + withTab(search, tabIn(window.location.search));
  const state: unknown = options.replace && !('from' in options) ? window.history.state : { from: options.from };
  if (options.replace) window.history.replaceState(state, '', address);
  else window.history.pushState(state, '', address);
  window.dispatchEvent(new Event(wentEvent));
}

/** True where the browser's Back leads to the place that `from` names, because {@link go} came from there. */
export function returnsTo(from: string): boolean {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'from' in state && state.from === from;
}
