import { getContainerRenderer } from '@astrojs/mdx/container-renderer';
import type { APIRoute } from 'astro';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { render } from 'astro:content';
import { loadRenderers } from 'astro:container';
import Prose from '../components/prose/Prose.astro';
import { type Article, articles } from '../data/articles.ts';
import type { FeedEntry } from '../data/feed.ts';

/** Maximum number of articles in a feed. */
const count = 50;

/** Serves the newest articles with their full text for the feeds (src/data/feed.ts). */
export const GET: APIRoute = async () => {
  const renderers = await loadRenderers([getContainerRenderer()]);
  const container = await AstroContainer.create({ renderers });
  const newest = (await articles())
    .toSorted((one, other) => other.publishedAt.localeCompare(one.publishedAt))
    .slice(0, count);
  return Response.json(await Promise.all(newest.map((article) => entryOf(article, container))));
};

async function entryOf(article: Article, container: AstroContainer): Promise<FeedEntry> {
  const { Content } = await render(article.entry);
  const html = (await container.renderToString(Prose, { props: { content: Content } }))
    // Feeds contain only the text, without the page's styles, scripts and drawings.
    .replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '');
  const { title, description, href, category, publishedAt } = article;
  // 20:00 UTC is the same calendar day in every time zone of the United States.
  return { path: href, title, description, html, publishedAt: `${publishedAt}T20:00:00Z`, category };
}
