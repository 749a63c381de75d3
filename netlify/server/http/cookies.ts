import type { Env } from '../env.ts';
import { Refusal } from '../refusal.ts';

/**
 * Returns whether browsers reach the site over https, by `SITE_URL` if set, otherwise by the request's URL. Request
 * headers are ignored, because a visitor can send any header. The self-hosted server writes a trusted proxy's protocol
 * into the URL.
 */
function isSecure(request: Request, { SITE_URL }: Pick<Env, 'SITE_URL'>): boolean {
  return new URL(SITE_URL ?? request.url).protocol === 'https:';
}

/**
 * Returns a cookie for the whole site that scripts cannot read. Over https its name has the prefix `__Host-`, so
 * browsers do not accept it from a subdomain or over plain http.
 */
export function siteCookie(plainName: string) {
  const nameFor = (secure: boolean) => (secure ? `__Host-${plainName}` : plainName);
  return {
    /** Returns the cookie's value in a request, or null. */
    read(request: Request, env: Pick<Env, 'SITE_URL'>): string | null {
      const name = nameFor(isSecure(request, env));
      const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
    },

    /**
     * Returns a `Set-Cookie` header that stores a value.
     * @param maxAge in seconds; 0 removes the cookie.
     */
    write(value: string, maxAge: number, request: Request, env: Pick<Env, 'SITE_URL'>): string {
      const secure = isSecure(request, env);
      const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
      return `${nameFor(secure)}=${value}; ${attributes}`;
    },
  };
}

export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}

/**
 * Refuses a request that changes data if a page of another site triggered it. Browsers send the origin of a request in
 * `Sec-Fetch-Site` or `Origin`. A client that sends neither is not a browser, so it has no visitor's cookie.
 * @throws {Refusal} `forbidden_origin`
 */
export function requireSameOrigin(request: Request, env: Pick<Env, 'SITE_URL'>): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = request.headers.get('origin');
  if (site === null && origin === null) return;
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const ours = isSecure(request, env) ? [`https://${host}`] : [`https://${host}`, `http://${host}`];
  if (origin !== null && ours.includes(origin)) return;
  throw new Refusal(
    'forbidden_origin',
    'We blocked this request because it seems to come from another website. Open this site in a new tab and try again there.',
  );
}
