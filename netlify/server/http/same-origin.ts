import { Refusal } from './refusal.ts';

/**
 * Refuses a state-changing request that a page of another site made a browser send. Browsers say where a request comes
 * from by `Sec-Fetch-Site` or `Origin`; a client that sends neither is no browser and holds no visitor's cookie.
 * @throws {Refusal} `forbidden_origin`
 */
export function requireSameOrigin(request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = request.headers.get('origin');
  if (site === null && origin === null) return;
  if (origin !== null && hostOf(origin) === (request.headers.get('host') ?? new URL(request.url).host)) return;
  throw new Refusal('forbidden_origin', 'This request came from another site. Open the site itself and try again.');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
