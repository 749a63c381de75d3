/**
 * Headers for a blog page that exists. Netlify's CDN stores the page until a post changes. Browsers revalidate their
 * copy.
 */
const kept = {
  'cache-control': 'public, max-age=0, must-revalidate',
  'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
  'netlify-cache-tag': 'posts',
  // Stores one copy for all query strings, because the page ignores them. Only the parameter `_`, which nothing uses,
  // would select another copy.
  'netlify-vary': 'query=_',
};

/**
 * Sets the status and the headers of a page that shows posts.
 * @param found the data for the page. "nothing" if there is no such page, "no answer" if the database could not be
 *   read.
 */
export function cachePosts(response: { status?: number; headers: Headers }, found: object | 'nothing' | 'no answer') {
  const isFound = typeof found === 'object';
  response.status = isFound ? 200 : found === 'nothing' ? 404 : 503;
  const headers = isFound ? kept : { 'cache-control': 'private, no-store' };
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}
