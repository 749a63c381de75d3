import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { mediaList } from '../media/list.ts';
import Posts from '../posts/Posts.tsx';
import { postList } from '../posts/list.ts';
import { kindIn, kinds } from '../submissions/kinds.ts';
import { fetched } from '../lib/fetched.tsx';

export interface AdminTab {
  readonly id: string;
  readonly label: string;
  readonly Screen: ComponentType<{ fallback?: ReactNode }> & { load?(): Promise<unknown> };
  /** Starts to fetch the data for the screen's first render. `search` is the URL's query, which may name a filter. */
  readonly begin?: (client: QueryClient, search: string) => Promise<unknown>;
}

/**
 * The dashboard's tabs, in the specified order (docs/product.md#admin-area). The first tab is the default, and its code
 * is part of the dashboard's code.
 */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  { id: 'blog', label: 'Blog Posts', Screen: Posts, begin: postList.begin },
  {
    id: 'media',
    label: 'Media Library',
    Screen: fetched(() => import('../media/MediaScreen.tsx')),
    begin: mediaList.begin,
  },
  { id: 'content', label: 'Content Editor', Screen: fetched(() => import('../sections/SectionsScreen.tsx')) },
  {
    id: 'submissions',
    label: 'Contact Submissions',
    Screen: fetched(() => import('../submissions/Inbox.tsx')),
    begin: (client, search) => kinds[kindIn(search)].list.begin(client, search),
  },
  { id: 'settings', label: 'Settings', Screen: fetched(() => import('../settings/SettingsScreen.tsx')) },
];

/**
 * Returns the tab for a URL's query. A link in an email has no tab, only an inquiry or an application, which opens in
 * Contact Submissions.
 */
export function tabOf(search: string): AdminTab {
  const parameters = new URLSearchParams(search);
  const opens = ['submission', 'application'].some((name) => parameters.has(name));
  const id = parameters.get('tab') ?? (opens ? 'submissions' : undefined);
  return adminTabs.find((tab) => tab.id === id) ?? adminTabs[0];
}

/** Loads a tab's code and data. Errors are ignored here, because the screen shows them. */
export function beginTab(tab: AdminTab, client: QueryClient, search: string): Promise<unknown> {
  return Promise.allSettled([tab.Screen.load?.(), tab.begin?.(client, search)]);
}
