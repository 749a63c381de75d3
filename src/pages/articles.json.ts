import { getContainerRenderer } from '@astrojs/mdx/container-renderer';
import type { APIRoute } from 'astro';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { loadRenderers } from 'astro:container';
import { render } from 'astro:content';
import Prose from '../components/prose/Prose.astro';
import { type Article, articles } from '../data/articles.ts';
import type { FeedEntry } from '../data/feed-articles.ts';

/** Articles in a feed at most. */
const count = 50;

/** The newest articles in full, for the feeds (src/data/feed-articles.ts). */
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
    // What only the page needs; feeds show the words.
    .replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '');
  const { title, description, href, category, publishedAt, updatedAt } = article;
  // Noon in the firm's zone, more or less: a day of the calendar is the same day everywhere in the country.
  const at = (day: string) => new Date(`${day}T20:00:00Z`);
  return {
    path: href,
    title,
    description,
    html,
    publishedAt: at(publishedAt),
    modifiedAt: at(updatedAt ?? publishedAt),
    category,
  };
}
