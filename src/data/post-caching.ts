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
 * Returns the status and the headers of a page that shows posts.
 * @param found the data for the page. "nothing" if there is no such page, "no answer" if the database could not be
 *   read.
 */
export function postCaching(found: object | 'nothing' | 'no answer'): {
  status: number;
  headers: Readonly<Record<string, string>>;
} {
  if (typeof found === 'object') return { status: 200, headers: kept };
  return { status: found === 'nothing' ? 404 : 503, headers: { 'cache-control': 'private, no-store' } };
}
