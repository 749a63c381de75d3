import type { APIRoute } from 'astro';
import { feedResponse, feedUnavailable } from '../data/feeds/feed.ts';
import { sitemapCount } from '../data/posts.ts';
import { site } from '../site.config.ts';

export const prerender = false;

/**
 * Serves the index of the posts' sitemap files. /robots.txt lists this index. /sitemap-index.xml, which a build
 * generates, can list only /sitemap-posts-1.xml, because the number of files depends on the posts.
 */
export const GET: APIRoute = async ({ request, locals, site: origin = new URL(site.url) }) => {
  const count = await sitemapCount(locals.netlify.context);
  if (count === null) return feedUnavailable();
  const files = Array.from(
    { length: count },
    (_, index) => `<sitemap><loc>${new URL(`/sitemap-posts-${index + 1}.xml`, origin).href}</loc></sitemap>`,
  );
  const open =
    '<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  return feedResponse(`${open}${files.join('')}</sitemapindex>`, 'application/xml', request);
};
