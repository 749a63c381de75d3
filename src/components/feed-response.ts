import { createHash } from 'node:crypto';

/** A feed, or a sitemap, as an answer that caches keep until a post changes, and that readers need not fetch twice. */
export function feedResponse(body: string, type: string, request: Request): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'public, max-age=0, must-revalidate',
    'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
    'netlify-cache-tag': 'posts',
    etag,
  };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

/** Where the database does not answer: readers and robots keep what they have and come again. */
export function feedUnavailable(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '120' };
  return new Response('The posts cannot be read just now. Please try again in a moment.', { status: 503, headers });
}
