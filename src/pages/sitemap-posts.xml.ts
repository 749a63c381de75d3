import type { APIRoute } from 'astro';
import { feedResponse, feedUnavailable } from '../data/feed-response.ts';
import { allPosts } from '../data/posts.ts';
import { postPath } from '../domain/post-text.ts';
import { site } from '../site.config.ts';

export const prerender = false;

/** The posts' part of the sitemap; /sitemap-index.xml names it (astro.config.mjs). */
export const GET: APIRoute = async ({ request, locals, site: origin = new URL(site.url) }) => {
  const posts = await allPosts(locals.netlify.context);
  if (!posts) return feedUnavailable();
  const entries = posts.map(
    ({ slug, updatedAt }) =>
      `<url><loc>${new URL(postPath(slug), origin).href}</loc><lastmod>${updatedAt}</lastmod></url>`,
  );
  const open = '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  return feedResponse(`${open}${entries.join('')}</urlset>`, 'application/xml', request);
};
