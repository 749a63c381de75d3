import type { ReactNode } from 'react';
import { useSignOut } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { FaultBanner } from './FaultBanner.tsx';

interface AdminFrameProps {
  siteName: string;
  /** The email address of the signed-in admin; undefined until the session is known. */
  email?: string;
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
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-(--gutter) py-2 rule-b-rule-strong max-[22.5rem]:gap-y-3 max-[22.5rem]:[&_svg]:hidden">
        <p className="admin-site">{siteName}</p>
        <div className="flex min-h-(--control) min-w-0 items-center gap-1 text-ink-soft max-md:order-1 max-md:flex-[1_0_100%] max-md:justify-between">
          {email && <Account email={email} />}
        </div>
        <a className="button button-secondary" href="/" target="_blank" rel="noopener">
          <Icon name="outside" />
          <span>View Website</span>
        </a>
      </header>
      {email && <FaultBanner />}
      <main id="main" className="admin-main" tabIndex={-1}>
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <div>
            {back && (
              <a className="inline-flex min-h-(--control) items-center" href={back.href}>
                {back.label}
              </a>
            )}
            <h1>{title}</h1>
            {subtitle && <p className="mt-1 text-ink-soft">{subtitle}</p>}
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
      <span className="max-w-72 truncate" title={email}>
        <span className="unseen">Signed in as </span>
        {email}
      </span>
      <Button look="quiet" onClick={() => signOut.mutate()} pending={signOut.isPending} pendingLabel="Signing out…">
        Sign out
      </Button>
    </>
  );
}
