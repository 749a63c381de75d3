import { createRoot } from 'react-dom/client';
import { beginSession } from '../session/queries.ts';
import { AdminFrame, AdminShell } from './AdminShell.tsx';
import { Dashboard } from './Dashboard.tsx';
import { SignedOut } from './SignedOut.tsx';
import { adminQueryClient } from './query-client.ts';
import { beginTab, tabOf } from './tabs.ts';

/** Replaces the skeleton, which is the page's initial HTML, with the dashboard (docs/product.md#admin-area). */
async function start(container: HTMLElement): Promise<void> {
  const client = adminQueryClient();
  const { search } = window.location;
  beginTab(tabOf(search), client, search);
  // If the session check fails, the dashboard shows the error.
  await beginSession(client).catch(() => undefined);
  const siteName = container.dataset['siteName'] ?? '';
  createRoot(container).render(
    <AdminShell
      client={client}
      checking={null}
      signedOut={<SignedOut />}
      frame={(content) => <AdminFrame siteName={siteName}>{content}</AdminFrame>}
    >
      {(email) => <Dashboard siteName={siteName} email={email} />}
    </AdminShell>,
  );
}

const container = document.getElementById('dashboard');
if (container) void start(container);
