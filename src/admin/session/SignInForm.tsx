import { type SubmitEvent, useEffect, useRef } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { signInInput } from '../../domain/session.ts';
import { Button } from '../ui/Button.tsx';
import { Field, PasswordField, useValidation } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../lib/act.ts';
import { useHydrated } from '../lib/hydrated.ts';
import { PasskeySignIn } from './passkeys.tsx';
import { countdownText, useSignIn } from './use-sign-in.ts';

const signInWords = { button: 'Sign in', pending: 'Signing in…', passkey: 'Sign in with a passkey' } as const;
const confirmWords = { button: 'Confirm', pending: 'Confirming…', passkey: 'Confirm with a passkey' } as const;

interface SignInFormProps {
  /** The initial value of the email field, so the admin only needs to enter the password. */
  email?: string;
  /** Whether the admin is already signed in and only confirms their identity. */
  confirming?: boolean;
  onSubmit?: () => void;
  onSignedIn: () => void;
}

/**
 * The sign-in form. Without JavaScript, the browser submits the form; with JavaScript, the form signs in without
 * leaving the page. The inputs are uncontrolled, so text that was typed or autofilled before hydration is not lost.
 */
export function SignInForm({ email, confirming = false, onSubmit, onSignedIn }: SignInFormProps) {
  const hydrated = useHydrated();
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const { form, errors, check } = useValidation();
  const { signIn, waitSeconds } = useSignIn(onSignedIn);
  const words = confirming ? confirmWords : signInWords;

  useEffect(() => {
    const first = emailField.current?.value === '' ? emailField.current : passwordField.current;
    first?.focus({ preventScroll: true });
  }, []);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (signIn.isPending || waitSeconds > 0) return;
    onSubmit?.();
    const input = check(signInInput, Object.fromEntries(new FormData(event.currentTarget)));
    if (input) signIn.mutate(input, { onError: () => passwordField.current?.select() });
    else signIn.reset();
  };

  return (
    <form
      ref={form}
      className="grid gap-4 [&_.button]:min-h-11 [&_.button]:[font-variant-numeric:tabular-nums]"
      method="post"
      action={apiPaths.login}
      noValidate={hydrated}
      onSubmit={submit}
    >
      {signIn.isError && (
        <Notice variant="destructive">
          <p>
            {confirming && signIn.error instanceof ApiError && signIn.error.status === 401
              ? 'The password is incorrect.'
              : errorText(signIn.error)}
          </p>
        </Notice>
      )}
      <Field label="Email" error={errors.email} hidden={confirming}>
        {(control) => (
          <input
            {...control}
            ref={emailField}
            name="email"
            required
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={email}
          />
        )}
      </Field>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        error={errors.password}
        inputRef={passwordField}
      />
      <Button
        type="submit"
        look="primary"
        pending={signIn.isPending}
        pendingLabel={words.pending}
        unavailable={waitSeconds > 0}
      >
        {waitSeconds > 0 ? `Try again in ${countdownText(waitSeconds)}` : words.button}
      </Button>
      <PasskeySignIn label={words.passkey} onSubmit={onSubmit} onSignedIn={onSignedIn} />
    </form>
  );
}
