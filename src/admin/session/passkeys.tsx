import { useMutation } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { type PasskeyOptions, canHavePasskeys, passkeyOptions } from '../../domain/account/account.ts';
import { type SignInReceipt, signInReceipt } from '../../domain/account/session.ts';
import { request } from '../../lib/request/api.ts';
import { errorText } from '../lib/act.ts';
import { useHydrated } from '../lib/hydrated.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

export const noPasskeysHere =
  'Passkeys don’t work at this address. Open the admin area at the site’s usual https:// address.';

/** Whether this browser supports passkeys, and this hostname allows them. */
export function passkeysWork(): boolean {
  return 'PublicKeyCredential' in window && canHavePasskeys(window.location.hostname);
}

const browserErrors: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: noPasskeysHere,
};

/** Shows an error of the browser or the server, unless the user or the browser canceled the browser's passkey dialog. */
export function PasskeyFailure({ title, error }: { title?: string; error: Error | null }) {
  if (!error || error.name === 'NotAllowedError' || error.name === 'AbortError') return null;
  return (
    <Notice variant="destructive" title={title}>
      <p>{browserErrors[error.name] ?? errorText(error)}</p>
    </Notice>
  );
}

/** Asks the browser to create a passkey. The passkey library loads when it is needed. */
export async function createPasskey(options: PasskeyOptions) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return await startRegistration({
    optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
  });
}

interface PasskeySignInProps {
  label: string;
  onSubmit: (() => void) | undefined;
  onSignedIn: (receipt: SignInReceipt) => void;
}

/** The button that signs in with a passkey. The passkey library loads when the button is clicked. */
export function PasskeySignIn({ label, onSubmit, onSignedIn }: PasskeySignInProps) {
  const hydrated = useHydrated();
  const signIn = useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const optionsJSON = await request(apiPaths.passkeySignInOptions, { method: 'POST', schema: passkeyOptions });
      // The browser shows the available passkeys.
      const answer = await startAuthentication({ optionsJSON });
      return await request(apiPaths.passkeySignIn, { body: answer, schema: signInReceipt });
    },
    onSuccess: onSignedIn,
  });
  if (hydrated && !passkeysWork()) return null;
  return (
    <>
      <Button
        data-unavailable={hydrated ? undefined : true}
        onClick={() => {
          onSubmit?.();
          signIn.mutate();
        }}
        pending={signIn.isPending}
        pendingLabel="Waiting for your passkey…"
      >
        {label}
      </Button>
      <PasskeyFailure error={signIn.error} />
    </>
  );
}
