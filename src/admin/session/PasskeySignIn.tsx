import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useHydrated } from '../lib/hydrated.ts';
import { passkeyErrorText, passkeysWork, wasCalledOff } from '../lib/passkeys.ts';
import { usePasskeySignIn } from './use-sign-in.ts';

interface PasskeySignInProps {
  label: string;
  onSubmit: (() => void) | undefined;
  onSignedIn: () => void;
}

/** The button that signs in with a passkey. The passkey library loads when the button is clicked. */
export function PasskeySignIn({ label, onSubmit, onSignedIn }: PasskeySignInProps) {
  const hydrated = useHydrated();
  const signIn = usePasskeySignIn(onSignedIn);
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
