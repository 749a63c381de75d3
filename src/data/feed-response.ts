import { publicText } from '../../netlify/server/http/respond.ts';

/** A feed, or a sitemap, as an answer that caches keep until a post changes, and that readers need not fetch twice. */
export function feedResponse(body: string, type: string, request: Request): Response {
  return publicText(body, `${type}; charset=utf-8`, request, ['posts']);
}

/** Where the database does not answer: readers and robots keep what they have and come again. */
export function feedUnavailable(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '120' };
  return new Response('The posts cannot be read just now. Please try again in a moment.', { status: 503, headers });
}
