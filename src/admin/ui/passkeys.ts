import { canHavePasskeys } from '../../domain/passkey.ts';
import { errorText } from './error-text.ts';

/** True where this browser, at this address, can make and use passkeys. */
export function passkeysWork(): boolean {
  return 'PublicKeyCredential' in window && canHavePasskeys(window.location.hostname);
}

/** The person, or the browser on their behalf, ended the browser's own dialog without a passkey. */
export function wasCalledOff(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** What went wrong, in a sentence for the admin, whether the browser says so or the server. */
export function passkeyErrorText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (name === 'SecurityError') return 'The browser makes no passkeys for this address of the site.';
  return errorText(error);
}
