import type { APIRoute } from 'astro';

/**
 * Pages and posts have separate sitemaps, because a sitemap index cannot contain another index, and the posts may need
 * several files.
 */
const sitemaps = ['/sitemap-index.xml', '/sitemap-posts.xml'];

export const GET: APIRoute = ({ site }) => {
  const lines = sitemaps.map((path) => `Sitemap: ${new URL(path, site).href}\n`);
  return new Response(`User-agent: *\nDisallow: /admin\n\n${lines.join('')}`, {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
};
