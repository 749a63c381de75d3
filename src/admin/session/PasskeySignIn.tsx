import { useMutation } from '@tanstack/react-query';
import { apiPaths } from '../../domain/api-paths.ts';
import { passkeyOptions } from '../../domain/passkey.ts';
import { signInReceipt } from '../../domain/session.ts';
import { request } from '../../lib/api.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useHydrated } from '../lib/hydrated.ts';
import { passkeyErrorText, passkeysWork, wasCalledOff } from '../lib/passkeys.ts';

interface PasskeySignInProps {
  label: string;
  onSubmit: (() => void) | undefined;
  onSignedIn: () => void;
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
      {signIn.isError && !wasCalledOff(signIn.error) && (
        <Notice variant="destructive">
          <p>{passkeyErrorText(signIn.error)}</p>
        </Notice>
      )}
    </>
  );
}
