import { type ComponentType, lazy } from 'react';
import { tabIn } from '../ui/location.ts';

interface AdminTab {
  readonly id: string;
  readonly label: string;
  readonly Screen: ComponentType;
  /** Fetches the screen's code before it is shown. */
  readonly load: () => Promise<unknown>;
}

function tab(id: string, label: string, load: () => Promise<{ default: ComponentType }>): AdminTab {
  return { id, label, Screen: lazy(load), load };
}

/**
 * The dashboard's tabs, in the order of the specification (§2): Blog Posts, Media Library, Content Editor, Contact
 * Submissions, Settings; the first is the default. Each one's code is fetched when it is first shown.
 */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  tab('blog', 'Blog Posts', () => import('../posts/Posts.tsx')),
  tab('media', 'Media Library', () => import('../media/MediaScreen.tsx')),
  tab('content', 'Content Editor', () => import('../sections/SectionsScreen.tsx')),
  tab('submissions', 'Contact Submissions', () => import('../submissions/Inbox.tsx')),
  tab('settings', 'Settings', () => import('../settings/SettingsScreen.tsx')),
];

/** The tab that an address's query asks for. A link from a mail names an inquiry only. */
export function tabOf(search: string): AdminTab {
  const id =
    tabIn(search) ??
    (['submission', 'application'].some((name) => new URLSearchParams(search).has(name)) ? 'submissions' : undefined);
  return adminTabs.find((tab) => tab.id === id) ?? adminTabs[0];
}
