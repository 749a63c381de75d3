import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { forwardFault, healthParts, healthReport, notChecked } from '../../domain/site/site-status.ts';
import { useHydrated } from '../lib/hydrated.ts';
import { isSignedOut } from '../lib/signed-in-request.ts';
import { SessionKeeper } from '../session/SessionKeeper.tsx';
import { sessionQuery, useSignOut } from '../session/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RowsSkeleton } from '../lists/ListScreen.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';

interface ShellProps {
  client: QueryClient;
  /** Shown while the session is checked. The server renders this content. */
  checking: ReactNode;
  /** Shown to people who are not signed in. */
  signedOut: ReactNode;
  /** Puts the page's header and layout around `signedOut` or an error. */
  frame: (content: ReactNode) => ReactNode;
  /** The page for a signed-in admin. */
  children: (email: string) => ReactNode;
}

/** Checks the session before showing an admin page. */
export function Shell({ client, checking, signedOut, frame, children }: ShellProps) {
  const session = useQuery(sessionQuery, client);
  const { data, error, isPending } = session;
  const hydrated = useHydrated();

  useEffect(() => {
    // Reloads a page from the browser's back/forward cache, which could show data after the session has ended.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  if (!hydrated || isPending) return checking;
  if (!data && isSignedOut(error)) return frame(signedOut);
  if (!data) return frame(<FailureNotice title="Failed to check auth status" query={session} />);
  return (
    <QueryClientProvider client={client}>
      <SessionKeeper email={data.user.email}>{children(data.user.email)}</SessionKeeper>
    </QueryClientProvider>
  );
}

interface SignedOutProps {
  title: string;
  /** The URL that opens after the delay, in milliseconds (docs/product.md#admin-area). */
  goesTo: string;
  afterMs: number;
  children: ReactNode;
}

/** A notice for a person without a session, before a redirect. */
export function SignedOut({ title, goesTo, afterMs, children }: SignedOutProps) {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(goesTo), afterMs);
    return () => clearTimeout(timer);
  }, [goesTo, afterMs]);
  return (
    <Notice variant="destructive" title={title}>
      <p>{children}</p>
    </Notice>
  );
}

interface FrameProps {
  siteName: string;
  /** The email address of the signed-in admin; undefined until the session is known. */
  email?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** The frame of every admin screen: the header, the heading and the screen's content. */
export function Frame({ siteName, email, title = 'Admin Dashboard', children }: FrameProps) {
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-(--gutter) py-2 rule-b-rule-strong max-md:gap-x-0 max-md:py-1 max-md:[&_.button]:px-2 max-[26rem]:[&_.button]:px-1.5 max-md:[&_svg]:hidden">
        <p className="title-lg/[1.45] [text-box:trim-both_cap_alphabetic] whitespace-nowrap max-md:sr-only">
          {siteName}
        </p>
        <h1 className="flex-1 text-lg whitespace-nowrap [text-box:trim-both_cap_alphabetic] max-md:text-base max-[26rem]:text-sm md:ms-1 md:ps-4 md:rule-s-rule-strong">
          {title}
        </h1>
        <div className="flex min-h-(--control) min-w-0 items-center gap-1 text-ink-soft">
          {email && <Account email={email} />}
        </div>
        <a className="button button-secondary" href="/" target="_blank" rel="noopener">
          <Icon name="outside" />
          <span>View Website</span>
        </a>
      </header>
      {email && <FaultBanner />}
      <main
        id="main"
        className="px-(--gutter) pt-1 large:flex large:min-h-0 large:flex-1 large:flex-col [&>.notice]:mt-4 [&>.notice]:max-w-160"
        tabIndex={-1}
      >
        {children}
      </main>
    </>
  );
}

/** The interval between health checks, in milliseconds. The browser skips the checks while the page is hidden. */
const askedEveryMs = 60_000;

/**
 * A banner on every screen while a part of the site fails: what happened, what to do, and a link to the site status.
 */
function FaultBanner() {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: async ({ signal }) => {
      // Reads the body even if the status is 503, which the server sends when a part of the site fails.
      const response = await fetch(apiPaths.health, { signal });
      return healthReport.safeParse(await response.json()).data ?? null;
    },
    refetchInterval: askedEveryMs,
    refetchOnMount: 'always',
  });
  const words = healthParts.map((part) => health.data?.[part] ?? 'ok');
  const faults = words.filter((one) => one !== 'ok' && one !== notChecked);
  return (
    <div role="status">
      {faults.length > 0 && (
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 bg-alert px-(--gutter) py-2 text-on-alert md:grid-cols-[auto_minmax(0,1fr)_auto] md:items-center max-md:[&>svg]:mt-1">
          <Icon name="warning" />
          <div className="grid gap-1 wrap-anywhere">
            {faults.map((fault) => (
              <p key={fault}>{fault.replace(/\.?$/, '.')}</p>
            ))}
            <p>{forwardFault}</p>
          </div>
          <a
            className="inline-flex min-h-(--control) items-center justify-self-start whitespace-nowrap text-on-alert semibold max-md:col-start-2"
            href="/admin?tab=settings#site-status"
          >
            Open Site status
          </a>
        </div>
      )}
    </div>
  );
}

function Account({ email }: { email: string }) {
  const signOut = useSignOut();
  return (
    <>
      <span className="max-w-72 truncate max-[64rem]:sr-only" title={email}>
        <span className="sr-only">Signed in as </span>
        {email}
      </span>
      <Button act={signOut} look="quiet" pendingLabel="Signing out…">
        Sign out
      </Button>
    </>
  );
}

/** Placeholders, shown while a screen loads. */
export function ScreenSkeleton() {
  return (
    <div className="grid py-3">
      <p className="sr-only" role="status">
        Loading…
      </p>
      <span className="skeleton mb-3 h-(--control)" />
      <RowsSkeleton />
    </div>
  );
}
