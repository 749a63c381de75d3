import type { APIRoute } from 'astro';

/** The pages' sitemap and the posts' are two: an index cannot name another index, and there may be many files of posts. */
const sitemaps = ['/sitemap-index.xml', '/sitemap-posts.xml'];

export const GET: APIRoute = ({ site }) => {
  const lines = sitemaps.map((path) => `Sitemap: ${new URL(path, site).href}\n`);
  return new Response(`User-agent: *\nDisallow: /admin\n\n${lines.join('')}`, {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
};
