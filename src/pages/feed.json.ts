import type { APIRoute } from 'astro';
import { feedResponse, feedUnavailable } from '../data/feed-response.ts';
import { feedEntries } from '../data/feed.ts';
import { site } from '../site.config.ts';

export const prerender = false;

/** Serves the content of /rss.xml as a JSON Feed (jsonfeed.org, version 1.1). */
export const GET: APIRoute = async ({ request, locals, site: origin = new URL(site.url) }) => {
  const entries = await feedEntries(origin, request, locals.netlify.context);
  if (!entries) return feedUnavailable();
  const addressOf = (path: string) => new URL(path, origin).href;
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${site.name}: articles and news`,
    description: site.tagline,
    home_page_url: addressOf('/'),
    feed_url: addressOf('/feed.json'),
    language: 'en-US',
    authors: [{ name: site.name, url: addressOf('/') }],
    items: entries.map(({ path, title, description, html, publishedAt, modifiedAt, category }) => ({
      id: addressOf(path),
      url: addressOf(path),
      title,
      summary: description,
      content_html: html,
      date_published: publishedAt.toISOString(),
      date_modified: modifiedAt.toISOString(),
      tags: [category],
    })),
  };
  return feedResponse(JSON.stringify(feed), 'application/feed+json', request);
};
