import { type MouseEvent, useSyncExternalStore } from 'react';

/** Dispatched after each change of the URL here, because browsers fire `popstate` only for Back and Forward. */
const wentEvent = 'admin:went';

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(wentEvent, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(wentEvent, listener);
  };
}

/** Returns the current URL's query, and rerenders after {@link go} and after Back and Forward. */
export function useLocationSearch(): string {
  return useSyncExternalStore(subscribe, () => window.location.search);
}

/** The parameter that names the dashboard's tab. Each tab's screen adds its own parameters. */
const tabParameter = 'tab';

/** Returns the id of the tab in a URL's query; null if the query names no tab. */
export function tabIn(search: string): string | null {
  return new URLSearchParams(search).get(tabParameter);
}

/** Adds the current tab to a query of its screen, for links that open in a new browser tab. */
export function inCurrentTab(search: string): string {
  return withTab(search, tabIn(window.location.search));
}

function withTab(search: string, id: string | null): string {
  if (id === null) return search;
  const tab = new URLSearchParams({ [tabParameter]: id }).toString();
  return search.length > 1 ? `?${tab}&${search.slice(1)}` : `?${tab}`;
}

/**
 * Opens another tab of the dashboard and removes the parameters of the previous tab.
 * @param id null for the first tab.
 */
export function goToTab(id: string | null): void {
  window.history.pushState(null, '', window.location.pathname + withTab('', id));
  window.dispatchEvent(new Event(wentEvent));
}

/**
 * Changes the query of the current tab without reloading the document.
 * @param search starts with a question mark, or is empty. The tab's name is added.
 * @param options.replace replaces the current history entry.
 * @param options.from a string to store in the history entry, for {@link returnsTo}. A replaced entry keeps its string
 * unless this option is given.
 */
export function go(search: string, options: { replace?: boolean; from?: string | undefined } = {}): void {
  const address = window.location.pathname + inCurrentTab(search);
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
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'from' in state && state.from === from;
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
