import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { mediaList } from '../media/list.ts';
import Posts from '../posts/Posts.tsx';
import { postList } from '../posts/list/list.ts';
import { inbox } from '../submissions/list.ts';
import { fetched } from '../lib/fetched.tsx';
import { tabIn } from '../lib/location.ts';
import { beginList } from '../lib/paged-list.ts';

export interface AdminTab {
  readonly id: string;
  readonly label: string;
  readonly Screen: ComponentType<{ fallback?: ReactNode }>;
  /** Loads the screen's code. */
  load(this: void): Promise<unknown>;
  /** Starts to fetch the data that the screen shows first for a URL with this query. */
  readonly begin?: Begin;
}

type Begin = (client: QueryClient, search: string) => Promise<unknown>;

function tab(id: string, label: string, load: () => Promise<{ default: ComponentType }>, begin?: Begin): AdminTab {
  const Screen = fetched(load);
  return { id, label, Screen, load: () => Screen.load(), ...(begin && { begin }) };
}

/** The first tab's code is part of the dashboard's code. */
const blog: AdminTab = {
  id: 'blog',
  label: 'Blog Posts',
  Screen: Posts,
  load: () => Promise.resolve(),
  begin: beginList(postList),
};

/**
 * The dashboard's tabs, in the specified order (docs/product.md#admin-area). The first tab is the default. The code of
 * the other tabs loads when the browser is idle, or when a tab opens.
 */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  blog,
  tab('media', 'Media Library', () => import('../media/MediaScreen.tsx'), beginList(mediaList)),
  tab('content', 'Content Editor', () => import('../sections/SectionsScreen.tsx')),
  tab('submissions', 'Contact Submissions', () => import('../submissions/Inbox.tsx'), beginList(inbox)),
  tab('settings', 'Settings', () => import('../settings/SettingsScreen.tsx')),
];

/** Returns the tab for a URL's query. Links in emails name only an inquiry or an application. */
export function tabOf(search: string): AdminTab {
  const id =
    tabIn(search) ??
    (['submission', 'application'].some((name) => new URLSearchParams(search).has(name)) ? 'submissions' : undefined);
  return adminTabs.find((tab) => tab.id === id) ?? adminTabs[0];
}

/** Starts to load a tab's code and data. Errors are ignored here, because the screen shows them. */
export function beginTab(tab: AdminTab, client: QueryClient, search: string): void {
  for (const begun of [tab.load(), tab.begin?.(client, search)]) begun?.catch(() => undefined);
}
