import MiniSearch, { type Query, type SearchResult } from 'minisearch';
import type { PublishedPage } from '../../domain/post.ts';
import { listedState, postPath } from '../../domain/post-text.ts';
import type { SearchEntry } from '../../domain/search.ts';
import { betweenWords, comparable } from './words.ts';

export interface Found {
  entry: SearchEntry;
  /** Matched words of the entry, as `comparable` returns them. */
  words: ReadonlySet<string>;
}

export interface SearchEngine {
  /** Returns the best results first, with at most {@link sectionsOfAPage} sections of each page. */
  find(question: string): Found[];
  /**
   * Updates the index to the posts in `now`, which are the newest public posts.
   * @returns true if a post was added, changed or removed.
   */
  updatePosts(now: PublishedPage): boolean;
}

/** Maximum number of sections of one page in the results, so a long guide does not hide other pages. */
const sectionsOfAPage = 3;

/** Indexes the entries in chunks, so the browser stays responsive. */
export async function openSearch(entries: readonly SearchEntry[]): Promise<SearchEngine> {
  const byHref = new Map(entries.map((entry) => [entry.href, entry]));
  const index = new MiniSearch<SearchEntry>({
    idField: 'href',
    fields: ['title', 'of', 'text'],
    tokenize: (text) => text.split(betweenWords),
    processTerm: comparable,
    searchOptions: { boost: { title: 4, of: 0.5 }, combineWith: 'AND', prefix: (word) => word.length > 1 },
  });
  await index.addAllAsync(entries, { chunkSize: 25 });

  /**
   * Tries up to three searches until one has results. In the first, an entry must contain every word. The second also
   * accepts similar words. The third also accepts entries with only some of the words.
   */
  function search(question: Query): SearchResult[] {
    const exact = index.search(question);
    if (exact.length > 0) return exact;
    const fuzzy = (word: string) => (word.length > 3 ? 0.25 : false);
    const alike = index.search(question, { fuzzy });
    return alike.length > 0 ? alike : index.search(question, { fuzzy, combineWith: 'OR' });
  }

  return {
    find(question) {
      const shown = new Map<string, number>();
      return search(question).flatMap(({ id, terms }) => {
        const entry = byHref.get(id as string);
        const page = entry?.href.split('#')[0] ?? '';
        const before = shown.get(page) ?? 0;
        shown.set(page, before + 1);
        return entry && before < sectionsOfAPage ? { entry, words: new Set(terms) } : [];
      });
    },
    updatePosts({ data, nextCursor }) {
      const posts = new Map(data.map((post) => [postPath(post.slug), post]));
      const known = [...byHref.values()].filter(({ kind }) => kind === 'Post');
      const outdated = known.filter(({ href, state }) => {
        const post = posts.get(href);
        // `data` may contain only the newest posts. An older post may still be public.
        return post ? listedState(post) !== state : nextCursor === null;
      });
      for (const { href } of outdated) {
        byHref.delete(href);
        index.discard(href);
      }
      const added = data
        .filter(({ slug }) => !byHref.has(postPath(slug)))
        .map((post): SearchEntry => ({
          kind: 'Post',
          href: postPath(post.slug),
          title: post.title,
          text: post.excerpt ?? '',
          state: listedState(post),
        }));
      for (const entry of added) byHref.set(entry.href, entry);
      index.addAll(added);
      return outdated.length + added.length > 0;
    },
  };
}
