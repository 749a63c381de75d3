import { type CollectionEntry, getCollection } from 'astro:content';
import { type ArticleFrontmatter, readingTimeFault } from '../domain/article.ts';
import { site } from '../site.config.ts';

export interface Article extends Omit<ArticleFrontmatter, 'previous' | 'next' | 'related'> {
  /** The file's name, and the last segment of the address. */
  slug: string;
  href: string;
  /** Where its text stands as Markdown. */
  markdownPath: string;
  previous: Article | undefined;
  next: Article | undefined;
  related: Article[];
  /** Holds the text; `render` of astro:content makes HTML of it. */
  entry: CollectionEntry<'articles'>;
}

/** Ids of the cards in the order that the specification lists them (spec §2, 'Resources page'). */
const specifiedCards = [6, 5, 4, 1, 2];

let built: Promise<Article[]> | undefined;

/**
 * Every article that may be read: those of {@link listedArticles} first, in their order. Drafts, and articles dated later
 * than today, are seen under `npm run dev` only.
 * @throws naming the file where a reading time is not true or a link between articles leads nowhere.
 */
export function articles(): Promise<Article[]> {
  return import.meta.env.DEV ? readArticles() : (built ??= readArticles());
}

/** The articles that have a card, newest first as specified. */
async function listedArticles(): Promise<Article[]> {
  return (await articles()).filter(({ listed }) => listed);
}

/** The four cards of 'Latest Insights' (spec §2, Home): ids 6, 5, 4, 1 until there are newer ones. */
export async function latestInsights(): Promise<Article[]> {
  return (await listedArticles()).slice(0, 4);
}

async function readArticles(): Promise<Article[]> {
  const entries = await getCollection('articles');
  const byName = new Map(entries.map((entry) => [entry.id, articleOf(entry)]));
  const today = new Intl.DateTimeFormat('sv', { timeZone: site.timeZone }).format();
  const isPublic = ({ draft, publishedAt }: Article): boolean =>
    import.meta.env.DEV || (!draft && publishedAt <= today);
  for (const { id, data, filePath } of entries) {
    const find = (field: string, name: string): Article | undefined => {
      const found = byName.get(name);
      if (found) return isPublic(found) ? found : undefined;
      const known = [...byName.keys()].toSorted().join(', ');
      throw new Error(`${filePath}: ${field} names '${name}', which is no article. Please choose one of: ${known}.`);
    };
    Object.assign(byName.get(id)!, {
      previous: data.previous && find('previous', data.previous),
      next: data.next && find('next', data.next),
      related: data.related.flatMap((name) => find('related', name) ?? []),
    });
  }
  return inOrder([...byName.values()].filter(isPublic));
}

function articleOf(entry: CollectionEntry<'articles'>): Article {
  // A draft may grow in peace.
  const fault = entry.data.draft ? null : readingTimeFault(entry.data.minutes, entry.body ?? '');
  if (fault) throw new Error(`${entry.filePath} ${fault}`);
  const links = { previous: undefined, next: undefined, related: [] };
  const href = `/resources/${entry.id}`;
  return { ...entry.data, ...links, slug: entry.id, href, markdownPath: `${href}.md`, entry };
}

/** Newest first; the specified cards keep their own order, in which none counts as newer than the one before it. */
function inOrder(all: readonly Article[]): Article[] {
  const place = ({ card }: Article): number => (card === undefined ? -1 : specifiedCards.indexOf(card));
  let newest = '9999';
  const dated = all
    .toSorted((one, other) => place(one) - place(other))
    .map((article) => {
      const day = place(article) < 0 || article.publishedAt < newest ? article.publishedAt : newest;
      if (place(article) >= 0) newest = day;
      return { article, day };
    });
  const listedFirst = (article: Article): number => (article.listed ? 0 : 1);
  return dated
    .toSorted((a, b) => listedFirst(a.article) - listedFirst(b.article) || b.day.localeCompare(a.day))
    .map(({ article }) => article);
}
