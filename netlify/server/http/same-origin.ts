import { Refusal } from '../runtime/refusal.ts';

/**
 * Refuses a request that changes data if a page of another site triggered it. Browsers send the origin of a request in
 * `Sec-Fetch-Site` or `Origin`. A client that sends neither is not a browser, so it has no visitor's cookie.
 * @throws {Refusal} `forbidden_origin`
 */
export function requireSameOrigin(request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = request.headers.get('origin');
  if (site === null && origin === null) return;
  if (origin !== null && hostOf(origin) === (request.headers.get('host') ?? new URL(request.url).host)) return;
  throw new Refusal(
    'forbidden_origin',
    'We blocked this request because it seems to come from another website. Open this site in a new tab and try again there.',
  );
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
