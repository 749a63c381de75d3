import type { Env } from '../runtime/env.ts';
import { Refusal } from '../runtime/refusal.ts';
import { isSecure } from './cookies.ts';

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
