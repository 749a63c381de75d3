import { type ComponentType, lazy } from 'react';

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

/** The dashboard's tabs, in order; each one's code is fetched when it is first shown. */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  tab('submissions', 'Contact Submissions', () => import('../submissions/Inbox.tsx')),
];
