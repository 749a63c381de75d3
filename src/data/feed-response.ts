import { publicText } from '../../netlify/server/http/respond.ts';

/**
 * Returns the response for a feed or a sitemap. The CDN stores the response until a post changes. Clients can
 * revalidate their copy instead of downloading the response again.
 */
export function feedResponse(body: string, type: string, request: Request): Response {
  const response = publicText(body, `${type}; charset=utf-8`, request, ['posts']);
  // Readers on other sites may show the feed.
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}

/**
 * Returns the response if posts or articles cannot be read. Status 503 tells feed readers and crawlers to keep their
 * copy and to try again later.
 */
export function feedUnavailable(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '120' };
  return new Response('We can’t load the posts right now. Please try again in a moment.', { status: 503, headers });
}
