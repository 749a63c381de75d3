import './admin.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { returnPath } from '../../domain/session.ts';
import { SignInForm } from '../session/SignInForm.tsx';
import { Notice } from '../ui/Notice.tsx';
import { adminQueryClient } from './query-client.ts';

/** What the server says, by the address's fragment, after a form sent without scripts or a trip to an OpenID provider. */
const outcomes: readonly { readonly fragment: string; readonly words: string }[] = [
  { fragment: 'invalid', words: 'The email address or the password is not right.' },
  { fragment: 'locked', words: 'Too many attempts to sign in. Please try again in a few minutes.' },
  { fragment: 'busy', words: 'Too many people are signing in right now. Please try again in a few seconds.' },
  { fragment: 'oidc-denied', words: 'Your company account did not give its consent. Nobody was signed in.' },
  { fragment: 'oidc-expired', words: 'Signing in with your company account took too long, or was begun elsewhere.' },
  {
    fragment: 'oidc-not-allowed',
    words: 'This account is not among those that may sign in here. The owner of the site can add it.',
  },
  {
    fragment: 'oidc-connect',
    words:
      'This email address has a password here. Sign in with the password once, and your company account will be connected to it.',
  },
  {
    fragment: 'oidc-another-account',
    words:
      'This email address is connected to another company account. Ask the person who runs the site to reset your account.',
  },
  {
    fragment: 'oidc-not-fresh',
    words: 'Your company account did not ask you to sign in again, so this step could not be confirmed.',
  },
  { fragment: 'oidc-unavailable', words: 'Your company account could not be reached just now.' },
];

/** Outcomes for which another try with the company account can end differently. */
const triesAgain = new Set(['oidc-denied', 'oidc-expired', 'oidc-not-allowed', 'oidc-unavailable']);

/**
 * The sign-in page. The style sheet shows the notice that the address names, with scripts off too.
 */
export function SignInPage({ siteName }: { siteName: string }) {
  const [client] = useState(adminQueryClient);
  const [submitted, setSubmitted] = useState(false);
  return (
    <QueryClientProvider client={client}>
      <main id="main" className="sign-in-page">
        <p className="admin-site">{siteName}</p>
        <h1>Sign in</h1>
        {!submitted &&
          outcomes.map(({ fragment, words }) => (
            <div key={fragment} id={fragment} className="target-notice">
              <Notice variant="destructive">
                <p>{words}</p>
                {triesAgain.has(fragment) && (
                  <a href={apiPaths.login} onClick={keepWanted}>
                    Try again with your company account
                  </a>
                )}
              </Notice>
            </div>
          ))}
        <SignInForm onSubmit={() => setSubmitted(true)} onSignedIn={goOn} />
        <p className="sign-in-back">
          <a href="/">Back to the website</a>
        </p>
      </main>
    </QueryClientProvider>
  );
}

/** Only the browser knows which page was wanted: this one is the same for all. */
function keepWanted({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.search = window.location.search;
}

/** To the page that somebody was on the way to; the address says which, and anybody can write an address. */
function goOn(): void {
  window.location.assign(returnPath(new URLSearchParams(window.location.search).get('returnTo')));
}
