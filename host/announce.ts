import type { prepare } from '../netlify/server/start.ts';
import type { Env } from '../netlify/server/runtime/env.ts';

type Admin = Awaited<ReturnType<typeof prepare>>;

/** Replaces the address that means "all network interfaces" with the loopback address, which every browser can open. */
export function openable(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}

/**
 * Returns instructions for signing in. Includes a newly generated password, because no later start shows this password.
 */
export function signInHint(site: string, { email, generatedPassword }: Admin): string {
  return generatedPassword === null
    ? `Sign in at ${site}/admin as ${email} with your password. If you lost it, run: npm run admin -- reset ${email}`
    : `Sign in at ${site}/admin as ${email} with the password ${generatedPassword} (generated now and not shown again).`;
}

/** Returns a warning if other machines can connect to the server and `TRUSTED_PROXIES` is not set; otherwise null. */
export function listenWarning({ HOST, TRUSTED_PROXIES }: Env): string | null {
  if (isLoopback(HOST) || TRUSTED_PROXIES) return null;
  return (
    `Warning: HOST=${HOST} accepts connections from other machines. Behind a proxy all visitors then share one address and ` +
    'one rate limit. Set TRUSTED_PROXIES to the address of the proxy, or HOST=127.0.0.1 if the proxy runs on this machine.'
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.');
}
