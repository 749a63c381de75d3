import type { Env } from '../env.ts';

/**
 * Tells whether browsers reach the site over https: by `SITE_URL` if set, otherwise by the request's own URL. A header
 * never decides, because a visitor can send any header. The host writes a trusted proxy's protocol into the URL.
 */
export function isSecure(request: Request, { SITE_URL }: Pick<Env, 'SITE_URL'>): boolean {
  return new URL(SITE_URL ?? request.url).protocol === 'https:';
}

/** The value of a request's cookie, as it was sent; null where there is none of that name. */
export function cookieValue(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
