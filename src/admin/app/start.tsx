import { createRoot } from 'react-dom/client';
import { beginSession } from '../session/queries.ts';
import { AdminApp } from './AdminApp.tsx';
import { adminQueryClient } from './query-client.ts';
import { beginTab, tabOf } from './tabs.ts';

/** Replaces the skeleton, which is the page's initial HTML, with the dashboard. */
async function start(container: HTMLElement): Promise<void> {
  const client = adminQueryClient();
  const { search } = window.location;
  beginTab(tabOf(search), client, search);
  // If the session check fails, the dashboard shows the error.
  await beginSession(client).catch(() => undefined);
  createRoot(container).render(<AdminApp siteName={container.dataset['siteName'] ?? ''} client={client} />);
}

const container = document.getElementById('dashboard');
if (container) void start(container);
