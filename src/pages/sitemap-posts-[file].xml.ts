import type { APIRoute } from 'astro';
import { feedResponse, feedUnavailable } from '../data/feeds/feed.ts';
import { sitemapPosts } from '../data/posts.ts';
import { postPath } from '../domain/posts/post-text.ts';
import { site } from '../site.config.ts';

export const prerender = false;

/** Serves one file of the posts' sitemap, such as /sitemap-posts-1.xml. /sitemap-posts.xml lists all files. */
export const GET: APIRoute = async ({ params, request, locals, site: origin = new URL(site.url) }) => {
  const file = /^[1-9]\d{0,3}$/.test(params.file ?? '') ? Number(params.file) : null;
  const posts = file === null ? [] : await sitemapPosts(file, locals.netlify.context);
  if (!posts) return feedUnavailable();
  if (file === null || (file > 1 && posts.length === 0)) {
    return new Response('There is no such file of the sitemap.', {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
  const entries = posts.map(
    ({ slug, updatedAt }) => `<url><loc>${origin.origin}${postPath(slug)}</loc><lastmod>${updatedAt}</lastmod></url>`,
  );
  const open = '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  return feedResponse(`${open}${entries.join('')}</urlset>`, 'application/xml', request);
};
