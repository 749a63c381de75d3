import type { ReactNode } from 'react';
import { useSignOut } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FaultBanner } from './FaultBanner.tsx';

interface AdminFrameProps {
  siteName: string;
  /** The email address of the signed-in admin; undefined until the session is known. */
  email?: string;
  /** The page's heading. */
  title?: string;
  subtitle?: string;
  /** The link to the parent page. */
  back?: { readonly href: string; readonly label: string };
  /** The count cards next to the heading. */
  cards?: ReactNode;
  children: ReactNode;
}

/** The frame of every admin screen: the header, the heading and the screen's content. */
export function AdminFrame({
  siteName,
  email,
  title = 'Admin Dashboard',
  subtitle,
  back,
  cards,
  children,
}: AdminFrameProps) {
  return (
    <>
      <header className="admin-bar">
        <p className="admin-site">{siteName}</p>
        <div className="admin-account">{email && <Account email={email} />}</div>
        <a className="button button-secondary" href="/" target="_blank" rel="noopener">
          <Icon name="outside" />
          <span>View Website</span>
        </a>
      </header>
      {email && <FaultBanner />}
      <main id="main" className="admin-main" tabIndex={-1}>
        <div className="dashboard-head">
          <div>
            {back && (
              <a className="admin-back" href={back.href}>
                {back.label}
              </a>
            )}
            <h1>{title}</h1>
            {subtitle && <p className="admin-subtitle">{subtitle}</p>}
          </div>
          {cards}
        </div>
        {children}
      </main>
    </>
  );
}

function Account({ email }: { email: string }) {
  const signOut = useSignOut();
  return (
    <>
      <span className="admin-email" title={email}>
        <span className="unseen">Signed in as </span>
        {email}
      </span>
      <Button look="quiet" onClick={() => signOut.mutate()} pending={signOut.isPending} pendingLabel="Signing out…">
        Sign out
      </Button>
    </>
  );
}
