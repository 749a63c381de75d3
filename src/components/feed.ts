import { getContainerRenderer } from '@astrojs/mdx/container-renderer';
import { experimental_AstroContainer as AstroContainer } from 'astro/container';
import { loadRenderers } from 'astro:container';
import { render } from 'astro:content';
import { type Article, articles } from '../data/articles.ts';
import { newestPosts } from '../data/posts.ts';
import type { PublicPost } from '../domain/post.ts';
import { postPath, postText, shownDate } from '../domain/post-text.ts';
import Prose from './prose/Prose.astro';

/** Posts in a feed at most; the articles are all in it. */
const postCount = 30;

/** One article or post as feed readers get it: whole, with addresses that stand by themselves. */
export interface FeedEntry {
  path: string;
  title: string;
  description: string;
  /** Full text as HTML. */
  html: string;
  publishedAt: Date;
  modifiedAt: Date;
  category: string;
}

/**
 * Articles and the newest posts, newest first.
 * @param origin makes the addresses absolute.
 * @param context Netlify's, or the host's.
 * @returns null where the database does not answer.
 */
export async function feedEntries(
  origin: URL,
  context: Parameters<typeof newestPosts>[1],
): Promise<FeedEntry[] | null> {
  const posts = await newestPosts(postCount, context);
  if (!posts) return null;
  const entries = [...(await articleEntries()), ...posts.map(postEntry)];
  return entries
    .map((entry) => ({ ...entry, html: standalone(entry.html, new URL(entry.path, origin)) }))
    .toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime());
}

let rendered: Promise<FeedEntry[]> | undefined;

/** Articles change with the site alone, so that they are rendered once. */
function articleEntries(): Promise<FeedEntry[]> {
  rendered ??= (async () => {
    const renderers = await loadRenderers([getContainerRenderer()]);
    const container = await AstroContainer.create({ renderers });
    return await Promise.all((await articles()).map((article) => articleEntry(article, container)));
  })();
  return rendered;
}

async function articleEntry(article: Article, container: AstroContainer): Promise<FeedEntry> {
  const { Content } = await render(article.entry);
  const html = await container.renderToString(Prose, { props: { content: Content } });
  const { title, description, href, category, publishedAt, updatedAt } = article;
  // Noon in the firm's zone, more or less: a day of the calendar is the same day everywhere in the country.
  const at = (day: string) => new Date(`${day}T20:00:00Z`);
  const modifiedAt = at(updatedAt ?? publishedAt);
  return { path: href, title, description, html, publishedAt: at(publishedAt), modifiedAt, category };
}

function postEntry(post: PublicPost): FeedEntry {
  return {
    path: postPath(post.slug),
    title: post.title,
    description: post.excerpt ?? postText(post.content).slice(0, 200),
    html: post.content,
    publishedAt: new Date(post.firstPublishedAt ?? shownDate(post)),
    modifiedAt: new Date(post.updatedAt),
    category: 'Blog & News',
  };
}

/** Addresses made absolute; what only the site's own style sheets and scripts know is left out. */
function standalone(html: string, page: URL): string {
  return html
    .replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '')
    .replace(/ (class|id|tabindex|role|data-[\w-]+|aria-[\w-]+|srcset|sizes|loading|decoding)(="[^"]*")?(?=[\s>])/g, '')
    .replace(
      / (href|src)="([/#][^"]*)"/g,
      (_, name: string, address: string) => ` ${name}="${new URL(address, page).href}"`,
    )
    .trim();
}
