import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { recoveryInput } from '../../domain/account/people.ts';
import { type SignInReceipt, signInInput, signInReceipt } from '../../domain/account/session.ts';
import { Button } from '../ui/Button.tsx';
import { Field, PasswordField, useForm } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { ApiError, request } from '../../lib/request/api.ts';
import { errorText } from '../lib/act.ts';
import { useHydrated } from '../lib/hydrated.ts';
import { PasskeySignIn } from './passkeys.tsx';

const signInWords = { button: 'Sign in', pending: 'Signing in…', passkey: 'Sign in with a passkey' } as const;
const confirmWords = { button: 'Confirm', pending: 'Confirming…', passkey: 'Confirm with a passkey' } as const;

interface SignInFormProps {
  /** The initial value of the email field, so the admin only needs to enter the password. */
  email?: string;
  /** Whether the admin is already signed in and only confirms their identity. */
  confirming?: boolean;
  /** Whether the form asks for a recovery code instead of the password. */
  recovering?: boolean;
  onSubmit?: () => void;
  onSignedIn: (receipt: SignInReceipt) => void;
}

/**
 * The sign-in form. Without JavaScript, the browser submits the form; with JavaScript, the form signs in without
 * leaving the page. The inputs are uncontrolled, so text that was typed or autofilled before hydration is not lost.
 */
export function SignInForm({ email, confirming = false, recovering = false, onSubmit, onSignedIn }: SignInFormProps) {
  const hydrated = useHydrated();
  const emailField = useRef<HTMLInputElement>(null);
  const secretField = useRef<HTMLInputElement>(null);
  const { signIn, waitSeconds } = useSignIn(recovering ? apiPaths.recoveryCodeSignIn : apiPaths.login, onSignedIn);
  const words = confirming ? confirmWords : signInWords;

  const { reset } = signIn;
  useEffect(() => {
    const first = emailField.current?.value === '' ? emailField.current : secretField.current;
    first?.focus({ preventScroll: true });
    // The error of a password is not the error of a recovery code.
    return reset;
  }, [recovering, reset]);

  const { form, errors, failure } = useForm<object>({
    schema: recovering ? recoveryInput : signInInput,
    act: { isPending: signIn.isPending || waitSeconds > 0, error: signIn.error },
    send: (input) => signIn.mutate(input, { onError: () => secretField.current?.select() }),
  });

  return (
    <form
      {...form}
      className="grid gap-4 [&_.button]:min-h-11 [&_.button]:[font-variant-numeric:tabular-nums]"
      method="post"
      action={apiPaths.login}
      noValidate={hydrated}
      onSubmit={(event) => {
        onSubmit?.();
        form.onSubmit(event);
      }}
    >
      {failure && (
        <Notice variant="destructive">
          <p>
            {confirming && failure instanceof ApiError && failure.status === 401
              ? 'The password is incorrect.'
              : errorText(failure)}
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
      {recovering ? (
        <Field label="Recovery code" hint="Each of your codes works once." error={errors.code}>
          {(control) => (
            <input
              {...control}
              ref={secretField}
              name="code"
              required
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      ) : (
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={errors.password}
          inputRef={secretField}
        />
      )}
      <Button
        type="submit"
        look="primary"
        pending={signIn.isPending}
        pendingLabel={words.pending}
        unavailable={waitSeconds > 0}
      >
        {waitSeconds > 0 ? `Try again in ${countdownText(waitSeconds)}` : words.button}
      </Button>
      {!recovering && <PasskeySignIn label={words.passkey} onSubmit={onSubmit} onSignedIn={onSignedIn} />}
    </form>
  );
}

/**
 * Signs in with a password or a recovery code. Does not store the token of the response, because the cookie of the response is the session
 * (docs/product.md#signing-in).
 * @returns the mutation, and the number of seconds to wait after too many attempts or while the server is busy.
 */
function useSignIn(path: string, onSignedIn: SignInFormProps['onSignedIn']) {
  const [lockedUntil, setLockedUntil] = useState(0);
  const [now, setNow] = useState(0);
  const waitSeconds = Math.max(0, Math.ceil((lockedUntil - now) / 1000));
  const waits = waitSeconds > 0;

  const signIn = useMutation({
    mutationFn: (body: object) => request(path, { body, schema: signInReceipt }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return;
      setNow(Date.now());
      setLockedUntil(Date.now() + (error.retryAfterSeconds ?? 60) * 1000);
    },
  });
  const { reset } = signIn;

  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => {
      clearInterval(timer);
      reset();
    };
  }, [waits, reset]);

  return { signIn, waitSeconds };
}

/** Formats a countdown: `4:05`. */
function countdownText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
