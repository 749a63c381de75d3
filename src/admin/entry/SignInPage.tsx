import { type MouseEvent, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type SignInReceipt, returnPath } from '../../domain/account/session.ts';
import { useHydrated } from '../lib/hydrated.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { EntryFrame } from './EntryFrame.tsx';

/**
 * Messages by the URL fragment that shows them. The server redirects to a URL with such a fragment when a sign-in fails
 * without JavaScript or at an OpenID provider. The admin area opens `#signed-out` if there is an OpenID provider.
 */
const outcomes = {
  'signed-out': 'You are signed out.',
  invalid: 'The email address or password is incorrect.',
  locked: 'Too many attempts to sign in. Please try again in a few minutes.',
  busy: 'Too many people are signing in right now. Please try again in a few seconds.',
  'oidc-denied':
    'The sign-in was not approved on your company account’s sign-in page. Try again, and if that page asks for access, allow it.',
  'oidc-expired': 'The sign-in with your company account took too long, or it started in another browser. Try again.',
  'oidc-not-allowed': 'This account isn’t allowed to sign in here. Ask the person who manages the server to allow it.',
  'oidc-connect':
    'This email address already has a password or a passkey here. To connect your company account, sign in below with that password or passkey, then sign in with your company account again.',
  'oidc-another-account':
    'This email address is connected to another company account. Ask the person who manages the server to reset your account.',
  'oidc-not-fresh': 'To confirm that it’s you, sign out of your company account, then sign in to it again.',
  'oidc-unavailable': 'The site couldn’t reach your company account’s sign-in page. Try again in a few minutes.',
} as const;

/** Outcomes after which an attempt with the company account may succeed. */
const triesAgain = new Set(['signed-out', 'oidc-denied', 'oidc-expired', 'oidc-not-allowed', 'oidc-unavailable']);

/**
 * The sign-in page. The style sheet shows the notice that the URL's fragment names, so the notice works without
 * JavaScript.
 */
export function SignInPage({ siteName }: { siteName: string }) {
  const hydrated = useHydrated();
  const [submitted, setSubmitted] = useState(false);
  const [recovering, setRecovering] = useState(false);
  return (
    <EntryFrame siteName={siteName} title={recovering ? 'Use a recovery code' : 'Sign in'}>
      {!submitted &&
        Object.entries(outcomes).map(([fragment, words]) => (
          <div key={fragment} id={fragment} className="scroll-mt-40 not-target:hidden">
            <Notice variant={fragment === 'signed-out' ? 'default' : 'destructive'}>
              <p>{words}</p>
              {triesAgain.has(fragment) && (
                <a href={apiPaths.login} onClick={keepWanted}>
                  Sign in with your company account
                </a>
              )}
            </Notice>
          </div>
        ))}
      <SignInForm recovering={recovering} onSubmit={() => setSubmitted(true)} onSignedIn={goOn} />
      {recovering && (
        <p className="text-ink-soft">
          No recovery codes? Another admin can remove you and invite you again, or the person who manages the server can
          reset your password.
        </p>
      )}
      <Button look="quiet" data-unavailable={hydrated ? undefined : true} onClick={() => setRecovering(!recovering)}>
        {recovering ? 'Sign in with a password or passkey' : 'Use a recovery code'}
      </Button>
    </EntryFrame>
  );
}

/**
 * Adds the page's URL query to the clicked link. The query names the page to open after the sign-in. The server cannot
 * add the query to the link, because it sends the same HTML for every URL of this page.
 */
function keepWanted({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.search = window.location.search;
}

/**
 * Opens the page to set a password after a sign-in with a recovery code, or returns to the page that the URL names.
 * Anyone can craft such a URL, so only paths of this site are allowed.
 */
function goOn({ setUpLink }: SignInReceipt): void {
  window.location.assign(setUpLink ?? returnPath(new URLSearchParams(window.location.search).get('returnTo')));
}
