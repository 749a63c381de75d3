import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { apiPaths } from '../../domain/api-paths.ts';
import { focusRow, focusedRow } from '../lists/use-list.ts';
import { sessionQuery } from '../session/queries.ts';
import { Dashboard } from './Dashboard.tsx';
import { Frame, Shell, SignedOut } from './Shell.tsx';
import { adminQueryClient } from '../lib/query-client.ts';
import { beginTab, tabOf } from './tabs.ts';

/** Replaces the skeleton, which is the page's initial HTML, with the dashboard (docs/product.md#admin-area). */
async function start(container: HTMLElement): Promise<void> {
  const client = adminQueryClient();
  const { pathname, search } = window.location;
  const begun = beginTab(tabOf(search), client, search);
  // If the session check fails, the dashboard shows the error.
  await client.query(sessionQuery).catch(() => undefined);
  // The rows that `begin.ts` shows stay until the app shows them.
  if (container.querySelector('.list-row')) await begun;
  const focused = focusedRow();
  const siteName = container.dataset['siteName'] ?? '';
  // The sign-in page opens the dashboard by default, so the dashboard's URL without a query needs no `returnTo`.
  const signIn =
    search === '' ? apiPaths.login : `${apiPaths.login}?${new URLSearchParams({ returnTo: pathname + search })}`;
  const app = (
    <Shell
      client={client}
      checking={null}
      signedOut={
        <SignedOut title="Unauthorized" goesTo={signIn} afterMs={500}>
          You are logged out. Logging in again...
        </SignedOut>
      }
      frame={(content) => <Frame siteName={siteName}>{content}</Frame>}
    >
      {(email) => (
        <Frame siteName={siteName} email={email}>
          <Dashboard />
        </Frame>
      )}
    </Shell>
  );
  flushSync(() => createRoot(container).render(app));
  if (focused !== undefined) focusRow(focused);
}

const container = document.getElementById('dashboard');
if (container) void start(container);
