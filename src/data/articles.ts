import { type CollectionEntry, getCollection } from 'astro:content';
import { type ArticleFrontmatter, readingTimeFault } from '../domain/posts/article.ts';
import { site } from '../site.config.ts';

export interface Article extends Omit<ArticleFrontmatter, 'previous' | 'next' | 'related'> {
  /** File name without `.mdx`, and last segment of the URL. */
  slug: string;
  href: string;
  previous: Article | undefined;
  next: Article | undefined;
  related: Article[];
  /** The collection's entry, which Astro's `render` turns into the text and its headings. */
  entry: CollectionEntry<'articles'>;
}

let built: Promise<Article[]> | undefined;

/**
 * Returns every public article: first those that have a card on /resources, then the others, each group newest first
 * (docs/product.md#articles). Only `npm run dev` also returns drafts and articles with a future date.
 * @throws if a stated reading time is wrong, or `previous`, `next` or `related` names an unknown article. The message
 *   names the file.
 */
export function articles(): Promise<Article[]> {
  return import.meta.env.DEV ? readArticles() : (built ??= readArticles());
}

/** Returns the four articles that the home page shows under "Latest Insights" (docs/product.md#home-page). */
export async function latestInsights(): Promise<Article[]> {
  return (await articles()).filter(({ listed }) => listed).slice(0, 4);
}

async function readArticles(): Promise<Article[]> {
  const entries = await getCollection('articles');
  const byName = new Map(entries.map((entry) => [entry.id, articleOf(entry)]));
  const today = new Intl.DateTimeFormat('sv', { timeZone: site.timeZone }).format(new Date());
  const isPublic = ({ draft, publishedAt }: Article): boolean =>
    import.meta.env.DEV || (!draft && publishedAt <= today);
  for (const { id, data } of entries) {
    const find = (field: string, name: string): Article | undefined => {
      const found = byName.get(name);
      if (found) return isPublic(found) ? found : undefined;
      const known = [...byName.keys()].toSorted().join(', ');
      throw new Error(`${fileOf(id)}: ${field} names '${name}', which is no article. Please choose one of: ${known}.`);
    };
    Object.assign(byName.get(id)!, {
      previous: data.previous && find('previous', data.previous),
      next: data.next && find('next', data.next),
      related: data.related.flatMap((name) => find('related', name) ?? []),
    });
  }
  const day = ({ sortDate, publishedAt }: Article): string => sortDate ?? publishedAt;
  return [...byName.values()]
    .filter(isPublic)
    .toSorted((one, other) => Number(other.listed) - Number(one.listed) || day(other).localeCompare(day(one)));
}

const fileOf = (id: string): string => `content/articles/${id}.mdx`;

function articleOf(entry: CollectionEntry<'articles'>): Article {
  const { id, data, body = '' } = entry;
  // The reading time of a draft is not checked, because its text is still changing.
  const fault = data.draft ? null : readingTimeFault(data.minutes, body);
  if (fault) throw new Error(`${fileOf(id)} ${fault}`);
  const links = { previous: undefined, next: undefined, related: [] };
  return { ...data, ...links, slug: id, href: `/resources/${id}`, entry };
}

/** Returns the static paths for the pages of all articles. */
export async function articlePaths() {
  return (await articles()).map((article) => ({
    params: { slug: article.slug },
    props: { article },
  }));
}
