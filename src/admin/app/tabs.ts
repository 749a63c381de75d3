import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { beginPosts } from '../posts/queries.ts';
import { beginSubmissions } from '../submissions/queries.ts';
import { type Fetched, fetched } from '../ui/fetched.tsx';
import { tabIn } from '../ui/location.ts';

export interface AdminTab {
  readonly id: string;
  readonly label: string;
  readonly Screen: Fetched<object>;
  /** Asks for what the screen shows first at an address with this query, before it is there to ask. */
  readonly begin?: Begin;
}

type Begin = (client: QueryClient, search: string) => Promise<unknown>;

function tab(id: string, label: string, load: () => Promise<{ default: ComponentType }>, begin?: Begin): AdminTab {
  return { id, label, Screen: fetched(load), ...(begin && { begin }) };
}

/**
 * The dashboard's tabs, in the order of the specification (§2): Blog Posts, Media Library, Content Editor, Contact
 * Submissions, Settings; the first is the default. Each one's code is fetched when it is first shown.
 */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  tab('blog', 'Blog Posts', () => import('../posts/Posts.tsx'), beginPosts),
  tab('media', 'Media Library', () => import('../media/MediaScreen.tsx')),
  tab('content', 'Content Editor', () => import('../sections/SectionsScreen.tsx')),
  tab('submissions', 'Contact Submissions', () => import('../submissions/Inbox.tsx'), beginSubmissions),
  tab('settings', 'Settings', () => import('../settings/SettingsScreen.tsx')),
];

/** The tab that an address's query asks for. A link from a mail names an inquiry only. */
export function tabOf(search: string): AdminTab {
  const id =
    tabIn(search) ??
    (['submission', 'application'].some((name) => new URLSearchParams(search).has(name)) ? 'submissions' : undefined);
  return adminTabs.find((tab) => tab.id === id) ?? adminTabs[0];
}
