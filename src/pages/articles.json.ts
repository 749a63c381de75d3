import type { APIRoute } from 'astro';
import { type Article, articles } from '../data/articles.ts';
import type { FeedEntry } from '../data/feeds/feed.ts';
import { articleHtml } from '../data/prose.ts';

/** Maximum number of articles in a feed. */
const count = 50;

/** Serves the newest articles with their full text for the feeds (src/data/feeds/feed.ts). */
export const GET: APIRoute = async () => {
  const newest = (await articles())
    .toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
    .slice(0, count);
  return Response.json(await Promise.all(newest.map(entryOf)));
};

async function entryOf({ entry, title, description, href, category, publishedAt }: Article): Promise<FeedEntry> {
  const html = await articleHtml(entry);
  // 20:00 UTC is the same calendar day in every time zone of the United States.
  return { path: href, title, description, html, publishedAt: `${publishedAt}T20:00:00Z`, category };
}
