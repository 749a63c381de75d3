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

/**
 * A cookie of the whole site that scripts cannot read. Over https its name has the prefix `__Host-`, with which browsers
 * refuse it from another subdomain or over plain http.
 */
export interface SiteCookie {
  /** Its value in a request; null where there is none. */
  read(request: Request, env: Pick<Env, 'SITE_URL'>): string | null;
  /** The `Set-Cookie` header that stores a value for so many seconds; 0 removes the cookie. */
  write(value: string, maxAge: number, request: Request, env: Pick<Env, 'SITE_URL'>): string;
}

export function siteCookie(name: string): SiteCookie {
  const nameFor = (secure: boolean) => (secure ? `__Host-${name}` : name);
  return {
    read: (request, env) => cookieValue(request, nameFor(isSecure(request, env))),
    write(value, maxAge, request, env) {
      const secure = isSecure(request, env);
      const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
      return `${nameFor(secure)}=${value}; ${attributes}`;
    },
  };
}

/** Adds cookies to an answer. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
