import type { prepare } from '../netlify/server/start.ts';
import type { Env } from '../netlify/server/env.ts';

type Admin = Awaited<ReturnType<typeof prepare>>;

/** An address that a browser can open, also where the server listens on every one. */
export function openable(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}

/** How to sign in, with the password where this start made it up: it is shown only this once. */
export function signInHint(site: string, { email, generatedPassword }: Admin): string {
  return generatedPassword === null
    ? `Sign in at ${site}/admin as ${email} with your password. Lost it? Run: npm run admin -- reset ${email}`
    : `Sign in at ${site}/admin as ${email} with the password ${generatedPassword} (made up now, and not shown again).`;
}

/** What follows from listening on an address that other machines reach, or null. */
export function listenWarning({ HOST, TRUSTED_PROXIES }: Env): string | null {
  if (isLoopback(HOST) || TRUSTED_PROXIES) return null;
  return (
    `Warning: HOST=${HOST} accepts connections from other machines. Behind a proxy all visitors then share one address and ` +
    'one rate limit. Set TRUSTED_PROXIES to the address of the proxy, or HOST=127.0.0.1 where the proxy runs on this machine.'
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.');
}
