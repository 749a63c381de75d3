import type { QueryClient } from '@tanstack/react-query';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminShell } from './AdminShell.tsx';
import { Dashboard } from './Dashboard.tsx';
import { SignedOut } from './SignedOut.tsx';

interface AdminAppProps {
  siteName: string;
  /** The query cache. The session check must have ended, so the cache contains the session or the check's error. */
  client: QueryClient;
}

/** The admin's dashboard (docs/product.md#admin-area). */
export function AdminApp({ siteName, client }: AdminAppProps) {
  return (
    <AdminShell
      client={client}
      checking={null}
      signedOut={<SignedOut />}
      frame={(content) => <AdminFrame siteName={siteName}>{content}</AdminFrame>}
    >
      {(email) => <Dashboard siteName={siteName} email={email} />}
    </AdminShell>
  );
}
