import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { mediaList } from '../media/list.ts';
import Posts from '../posts/Posts.tsx';
import { postList } from '../posts/list.ts';
import { kindIn, kinds } from '../submissions/kinds.ts';
import { fetched } from '../lib/fetched.tsx';
import { tabIn } from '../lib/location.ts';

export interface AdminTab {
  readonly id: string;
  readonly label: string;
  readonly Screen: ComponentType<{ fallback?: ReactNode }>;
  /** Loads the screen's code. */
  load(this: void): Promise<unknown>;
  /** Starts to fetch the data for the screen's first render. `search` is the URL's query, which may name a filter. */
  readonly begin?: Begin | undefined;
}

type Begin = (client: QueryClient, search: string) => Promise<unknown>;

function tab(id: string, label: string, load: () => Promise<{ default: ComponentType }>, begin?: Begin): AdminTab {
  const Screen = fetched(load);
  return { id, label, Screen, load: () => Screen.load(), begin };
}

/** The first tab. Its code is part of the dashboard's code, so `load` has nothing to load. */
const blog: AdminTab = {
  id: 'blog',
  label: 'Blog Posts',
  Screen: Posts,
  load: () => Promise.resolve(),
  begin: postList.begin,
};

/**
 * The dashboard's tabs, in the specified order (docs/product.md#admin-area). The first tab is the default. The code of
 * the other tabs loads when the browser is idle, or when a tab opens.
 */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  blog,
  tab('media', 'Media Library', () => import('../media/MediaScreen.tsx'), mediaList.begin),
  tab('content', 'Content Editor', () => import('../sections/SectionsScreen.tsx')),
  tab(
    'submissions',
    'Contact Submissions',
    () => import('../submissions/Inbox.tsx'),
    (client, search) => kinds[kindIn(search)].list.begin(client, search),
  ),
  tab('settings', 'Settings', () => import('../settings/SettingsScreen.tsx')),
];

/**
 * Returns the tab for a URL's query. A link in an email names only an inquiry or an application, so its tab is Contact
 * Submissions.
 */
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
