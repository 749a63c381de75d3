import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { fieldErrors } from '../../domain/errors.ts';
import { signInInput } from '../../domain/session.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { errorText } from '../ui/error-text.ts';
import { useHydrated } from '../ui/hydrated.ts';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { countdownText, useSignIn } from './use-sign-in.ts';

const signInWords = { button: 'Sign in', pending: 'Signing in…', passkey: 'Sign in with a passkey' } as const;
const confirmWords = { button: 'Confirm', pending: 'Confirming…', passkey: 'Confirm with a passkey' } as const;

interface SignInFormProps {
  /** Filled in already, so that only the password is missing. */
  email?: string;
  /** The admin is signed in, and only shows that they are still the same person. */
  confirming?: boolean;
  onSubmit?: () => void;
  onSignedIn: () => void;
}

/**
 * E-mail address and password. As the server renders it, it is a form that the browser sends by itself; with scripts it
 * signs in without leaving the page. The fields are the browser's own, so that nothing typed or filled in early is lost.
 */
export function SignInForm({ email, confirming = false, onSubmit, onSignedIn }: SignInFormProps) {
  const id = useId();
  const hydrated = useHydrated();
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
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
    const parsed = z.safeParse(signInInput, Object.fromEntries(new FormData(event.currentTarget)));
    const found = parsed.success ? {} : fieldErrors(parsed.error);
    setErrors(found);
    if (parsed.success) {
      signIn.mutate(parsed.data, { onError: () => passwordField.current?.select() });
    } else {
      signIn.reset();
      (found.email ? emailField : passwordField).current?.focus();
    }
  };

  return (
    <form className="sign-in-form" method="post" action={apiPaths.login} noValidate={hydrated} onSubmit={submit}>
      {signIn.isError && (
        <Notice variant="destructive">
          <p>{errorText(signIn.error)}</p>
        </Notice>
      )}
      <div className="field" hidden={confirming}>
        <label htmlFor={id}>Email</label>
        <input
          ref={emailField}
          id={id}
          name="email"
          required
          aria-invalid={errors.email ? true : undefined}
          aria-describedby={errors.email ? `${id}-error` : undefined}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={email}
        />
        {errors.email && (
          <p className="field-error" id={`${id}-error`}>
            {errors.email}
          </p>
        )}
      </div>
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
