import { type CollectionEntry, getCollection } from 'astro:content';
import { type ArticleFrontmatter, readingTimeFault } from '../domain/article.ts';
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

/**
 * The five articles with a `card` number, in the fixed order in which /resources shows them
 * (docs/product.md#articles). Newer articles have no number.
 */
const specifiedCards = [6, 5, 4, 1, 2];

let built: Promise<Article[]> | undefined;

/**
 * Returns every public article: first those that have a card on /resources ({@link listedArticles}), then the others,
 * each group newest first. Only `npm run dev` also returns drafts and articles with a future date.
 * @throws if a stated reading time is wrong, or `previous`, `next` or `related` names an unknown article. The message
 *   names the file.
 */
export function articles(): Promise<Article[]> {
  return import.meta.env.DEV ? readArticles() : (built ??= readArticles());
}

/**
 * Returns the articles that have a card, newest first. Articles with a `card` number keep the order of {@link
 * specifiedCards}.
 */
async function listedArticles(): Promise<Article[]> {
  return (await articles()).filter(({ listed }) => listed);
}

/** Returns the four articles that the home page shows under "Latest Insights" (docs/product.md#home-page). */
export async function latestInsights(): Promise<Article[]> {
  return (await listedArticles()).slice(0, 4);
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
  return inOrder([...byName.values()].filter(isPublic));
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

/**
 * Sorts articles by date, newest first. Articles without a card come last. The articles of {@link specifiedCards} keep
 * the order of that list: an article is sorted by the date of the article before it in the list, if that date is
 * earlier.
 */
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

/** Returns the static paths for the pages of all articles. */
export async function articlePaths() {
  return (await articles()).map((article) => ({
    params: { slug: article.slug },
    props: { article },
  }));
}
