import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type SignInInput, signInReceipt } from '../../domain/session.ts';
import { ApiError, request } from '../../lib/api.ts';

/**
 * Signs in with a password. Does not store the token of the response, because the cookie of the response is the session
 * (docs/product.md#signing-in).
 * @returns the mutation, and the number of seconds to wait after too many attempts or while the server is busy.
 */
export function useSignIn(onSignedIn: () => void) {
  const [lockedUntil, setLockedUntil] = useState(0);
  const [waitSeconds, setWaitSeconds] = useState(0);

  const signIn = useMutation({
    mutationFn: (input: SignInInput) => request(apiPaths.login, { body: input, schema: signInReceipt }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return;
      const seconds = error.retryAfterSeconds ?? 60;
      setWaitSeconds(seconds);
      setLockedUntil(Date.now() + seconds * 1000);
    },
  });
  const { reset } = signIn;

  useEffect(() => {
    if (lockedUntil === 0) return undefined;
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((lockedUntil - Date.now()) / 1000));
      setWaitSeconds(left);
      if (left > 0) return;
      setLockedUntil(0);
      reset();
    }, 250);
    return () => clearInterval(timer);
  }, [lockedUntil, reset]);

  return { signIn, waitSeconds };
}

/** Formats a countdown: `4:05`. */
export function countdownText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
