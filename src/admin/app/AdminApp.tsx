import type { QueryClient } from '@tanstack/react-query';
import { AdminFrame } from './AdminFrame.tsx';
import { AdminShell } from './AdminShell.tsx';
import { Dashboard } from './Dashboard.tsx';
import { SignedOut } from './SignedOut.tsx';

interface AdminAppProps {
  siteName: string;
  /** The query cache. Must already contain the session, or the error of the session check. */
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
