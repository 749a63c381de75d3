import { canHavePasskeys } from '../../domain/passkey.ts';
import { errorText } from './error-text.ts';

export const noPasskeysHere =
  'Passkeys don’t work at this address. Open the admin area at the site’s usual https:// address.';

/** Whether this browser supports passkeys, and this hostname allows them. */
export function passkeysWork(): boolean {
  return 'PublicKeyCredential' in window && canHavePasskeys(window.location.hostname);
}

/** Whether the browser's passkey dialog was canceled, by the user or by the browser. */
export function wasCalledOff(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** Returns the message for an error of the browser or the server. */
export function passkeyErrorText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError') return noPasskeysHere;
  return errorText(error);
}
