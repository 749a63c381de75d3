import type { prepare } from '../netlify/server/start.ts';

type Admin = Awaited<ReturnType<typeof prepare>>;

/** An address that a browser can open, also where the server listens on every one. */
export function openable(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}

/** How to sign in, with the password where this start made it up: it is shown only this once. */
export function signInHint(site: string, { email, generatedPassword }: Admin): string {
  return generatedPassword === null
    ? `Sign in at ${site}/admin as ${email}, with the password of ADMIN_PASSWORD or the one that the first start showed.`
    : `Sign in at ${site}/admin as ${email} with the password ${generatedPassword} (made up now, and not shown again).`;
}
