import { getRssString } from '@astrojs/rss';
import type { APIRoute } from 'astro';
import { feedEntries, feedResponse, feedUnavailable } from '../data/feeds/feed.ts';
import { site } from '../site.config.ts';

export const prerender = false;

/** Serves the full text of articles and posts for feed readers. */
export const GET: APIRoute = async ({ request, locals, site: origin = new URL(site.url) }) => {
  const entries = await feedEntries(origin, request, locals.netlify.context);
  if (!entries) return feedUnavailable();
  const self = new URL('/rss.xml', origin).href;
  const text = await getRssString({
    title: `${site.name}: articles and news`,
    description: site.tagline,
    site: origin,
    trailingSlash: false,
    xmlns: { atom: 'http://www.w3.org/2005/Atom' },
    customData: `<language>en-us</language><atom:link href="${self}" rel="self" type="application/rss+xml"/>`,
    items: entries.map(({ path, title, description, html, publishedAt, category }) => ({
      link: path,
      title,
      description,
      content: html,
      pubDate: new Date(publishedAt),
      categories: [category],
    })),
  });
  return feedResponse(text, 'application/rss+xml', request);
};
