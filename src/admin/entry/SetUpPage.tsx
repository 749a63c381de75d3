import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type SetUpInput, setUpInput, setUpOffer } from '../../domain/account/people.ts';
import { adminHome, signInPage, signInReceipt } from '../../domain/account/session.ts';
import { request } from '../../lib/request/api.ts';
import { useHydrated } from '../lib/hydrated.ts';
import { PasskeyFailure, createPasskey, passkeysWork } from '../session/passkeys.tsx';
import { Button } from '../ui/Button.tsx';
import { NewPasswordField, useForm } from '../ui/Field.tsx';
import { Loaded, Notice } from '../ui/Notice.tsx';
import { EntryFrame } from './EntryFrame.tsx';

/** The page of a set-up link, for an invited person or after a sign-in with a recovery code. */
export function SetUpPage({ siteName }: { siteName: string }) {
  return (
    <EntryFrame siteName={siteName} title="Set up your sign-in">
      <noscript>
        <p>To set up your sign-in, turn on JavaScript in your browser, then reload the page.</p>
      </noscript>
      <SetUp />
    </EntryFrame>
  );
}

/** Browsers do not send the fragment of a URL, so the token is in no log. */
const token = () => window.location.hash.slice(1);

const fetchOffer = () => request(apiPaths.setUpOptions, { body: { token: token() }, schema: setUpOffer });

function SetUp() {
  const hydrated = useHydrated();
  const offer = useQuery({ queryKey: ['set-up'], queryFn: fetchOffer, enabled: hydrated });
  const setUp = useMutation({
    mutationFn: async (chosen: SetUpInput | null) => {
      const body = chosen ?? { token: token(), passkey: await createPasskey((await fetchOffer()).options) };
      return await request(apiPaths.setUp, { body, schema: signInReceipt });
    },
    // The link no longer works, so this page leaves the browser's history.
    onSuccess: () => window.location.replace(adminHome),
  });

  // After a success, the form stays busy until the next page opens.
  const busy = setUp.isPending || setUp.isSuccess;
  const { form, errors, showErrors, failure } = useForm({
    schema: setUpInput,
    act: { isPending: busy, error: setUp.error },
    values: (data) => ({ token: token(), ...Object.fromEntries(data) }),
    send: (chosen, onError) => setUp.mutate(chosen, { onError }),
  });

  useEffect(() => {
    // Opening another link in the same tab changes only the fragment, which does not load the page.
    const onChange = () => window.location.reload();
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);

  return (
    <Loaded
      what="this link"
      query={offer}
      missing={
        <Notice title="This link doesn’t work">
          <p>
            The link is incomplete, expired, already used, withdrawn or replaced by a newer one. Ask the admin who
            invited you to send the invitation again, or sign in with another recovery code.
          </p>
          <a href={signInPage}>Sign in</a>
        </Notice>
      }
    >
      {({ email, invited }) => (
        <form {...form} className="grid gap-4 [&_.button]:min-h-11">
          <p className="wrap-anywhere">
            {invited
              ? `You’re invited to the admin area as ${email}. Choose a password, or create a passkey.`
              : `You’re signed in as ${email}. The recovery code that you used no longer works. Set a new password, or create a passkey. Either one signs you out everywhere else.`}
          </p>
          <PasskeyFailure error={failure} />
          {/* Password managers store the password under this user name. */}
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <NewPasswordField name="password" error={errors.password} />
          <Button
            type="submit"
            look="primary"
            pending={busy && setUp.variables !== null}
            pendingLabel="Signing in…"
            unavailable={busy}
          >
            Set password and sign in
          </Button>
          {passkeysWork() && (
            <Button
              pending={busy && setUp.variables === null}
              pendingLabel="Waiting for your device…"
              unavailable={busy}
              onClick={() => {
                showErrors({});
                setUp.mutate(null);
              }}
            >
              Create a passkey instead
            </Button>
          )}
          {!invited && (
            <a className="inline-block py-3" href={adminHome}>
              Continue without a new password
            </a>
          )}
        </form>
      )}
    </Loaded>
  );
}
