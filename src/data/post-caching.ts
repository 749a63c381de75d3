/** Headers of a page of the blog that was found: caches keep the page until a post changes. */
const kept = {
  'cache-control': 'public, max-age=0, must-revalidate',
  'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
  'netlify-cache-tag': 'posts',
  // No query makes another page.
  'netlify-vary': 'query=_',
};

/**
 * Returns the status and the headers of a page that shows posts.
 * @param found what the database has for the page's address; "no answer" if the database could not be read.
 */
export function postCaching(found: object | 'nothing' | 'no answer'): {
  status: number;
  headers: Readonly<Record<string, string>>;
} {
  if (typeof found === 'object') return { status: 200, headers: kept };
  return { status: found === 'nothing' ? 404 : 503, headers: { 'cache-control': 'private, no-store' } };
}
