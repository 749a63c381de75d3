import MiniSearch, { type SearchResult } from 'minisearch';
import { apiPaths } from '../domain/api-paths.ts';
import type { PublishedPage } from '../domain/posts/post.ts';
import { postPath } from '../domain/posts/post-text.ts';
import { type SearchEntry, searchAddress, searchIndexPath } from '../domain/text/search.ts';

/** Pause after typing before the results update, in milliseconds. */
const pauseMs = 150;
const mostShown = 20;
/** Number of results above the groups. */
const bestShown = 3;
/** The same number of posts as in the built index (`newestPostsAtBuild` in src/data/posts.ts). */
const mostPosts = 100;

type State = 'asked nothing' | 'loading' | 'found' | 'nothing' | 'failed';

/**
 * Shows the results for the search words in the URL and for words that the visitor types.
 * @param place the element that contains the results.
 */
export function answerQuestions(place: HTMLElement): void {
  const form = document.querySelector<HTMLFormElement>('form[role="search"]');
  const field = form?.querySelector('input');
  if (!form || !field) return;
  let search: Search | undefined;
  let opening: Promise<Search> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;

  // Text typed before this script loaded takes priority over the URL.
  field.value ||= new URLSearchParams(location.search).get('q') ?? '';

  /** Loads the index once, and again after a failure. */
  const open = async (): Promise<void> => {
    try {
      const opened = await (opening ??= fetchJson<SearchEntry[]>(searchIndexPath).then(openSearch));
      if (search) return;
      search = opened;
      const newest = `${apiPaths.publishedPosts}?view=summary&limit=${mostPosts}`;
      // Without the API, the search still finds the posts of the build.
      void fetchJson<PublishedPage>(newest).then(
        (posts) => opened.updatePosts(posts) && answer(),
        () => undefined,
      );
    } catch {
      opening = undefined;
    }
  };

  function answer(): void {
    const question = field!.value.trim();
    if (question === '') return show(place, 'asked nothing', '');
    if (!search) return show(place, 'loading', 'Searching…');
    const found = search.find(question);
    list(place, found.slice(0, mostShown));
    show(place, found.length === 0 ? 'nothing' : 'found', countText(found.length, question));
  }

  async function ask(): Promise<void> {
    clearTimeout(pause);
    // When the visitor returns with the Back button, Safari sets a field without autocomplete to its `defaultValue`.
    field!.defaultValue = field!.value;
    const address = searchAddress(field!.value);
    if (address !== location.pathname + location.search) history.replaceState(history.state, '', address);
    answer();
    await open();
    if (search) answer();
    else if (field!.value.trim() !== '') {
      show(place, 'failed', 'We couldn’t load the search. Your words are still in the search box.');
    }
  }

  field.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => void ask(), pauseMs);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // Hides the on-screen keyboard, which covers the results.
    if (matchMedia('(pointer: coarse)').matches) field.blur();
    void ask();
  });
  place.querySelector('[data-retry]')?.addEventListener('click', () => {
    // The error message disappears with its button, so the focus moves to the search field.
    field.focus();
    void ask();
  });
  void ask();
}

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as T;
}

function countText(count: number, question: string): string {
  if (count === 0) return `No results for “${question}”`;
  if (count > mostShown) return `The first ${mostShown} of ${count} results for “${question}”`;
  return `${count} ${count === 1 ? 'result' : 'results'} for “${question}”`;
}

function show(place: HTMLElement, state: State, text: string): void {
  const status = place.querySelector('[role="status"]');
  // Screen readers would announce the same text again if it were set again.
  if (status && status.textContent !== text) status.textContent = text;
  place.dataset['search'] = state;
  place.ariaBusy = state === 'loading' ? 'true' : null;
}

/** Lists the best results, then the others by their kind. */
function list(place: HTMLElement, found: Found[]): void {
  const [mold, groupMold] = place.querySelector('template')?.content.children ?? [];
  if (!mold || !groupMold) return;
  const itemOf = ({ entry, words }: Found): HTMLElement => {
    const item = mold.cloneNode(true) as HTMLElement;
    const link = item.querySelector('a')!;
    link.href = entry.href;
    link.replaceChildren(...marked(entry.title, words));
    item.querySelector('[data-kind]')!.textContent = entry.kind;
    const of = item.querySelector('[data-of]')!;
    if (entry.of === undefined) of.remove();
    else of.textContent = `In ${entry.of}`;
    item.querySelector('[data-extract]')!.replaceChildren(...marked(extractOf(entry.text, words), words));
    return item;
  };
  const groups = [...Map.groupBy(found.slice(bestShown), ({ entry }) => entry.kind)].flatMap(([kind, more]) => {
    const heading = groupMold.cloneNode() as HTMLElement;
    heading.textContent = `More ${kind.toLowerCase()}s`;
    return [heading, ...more.map(itemOf)];
  });
  place.querySelector('ol')?.replaceChildren(...found.slice(0, bestShown).map(itemOf), ...groups);
}

/** Returns a text with `<mark>` around the found words. The text of the index is never parsed as HTML. */
function marked(text: string, found: ReadonlySet<string>): (Node | string)[] {
  return text.split(wordOrGap).map((part) => {
    if (!found.has(comparable(part) ?? '')) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

interface Found {
  readonly entry: SearchEntry;
  /** Matched words of the entry, as {@link comparable} returns them. */
  readonly words: ReadonlySet<string>;
}

export type Search = Awaited<ReturnType<typeof openSearch>>;

/** Maximum number of sections of one page in the results, so a long guide does not hide other pages. */
const sectionsOfAPage = 3;

/** Indexes the entries in chunks, so the browser stays responsive. */
export async function openSearch(entries: readonly SearchEntry[]) {
  const byHref = new Map(entries.map((entry) => [entry.href, entry]));
  const index = new MiniSearch<SearchEntry>({
    idField: 'href',
    fields: ['title', 'of', 'text'],
    tokenize: (text) => text.split(betweenWords),
    processTerm: comparable,
    searchOptions: { boost: { title: 4, of: 0.5 }, combineWith: 'AND', prefix: (word) => word.length > 1 },
  });
  await index.addAllAsync(entries, { chunkSize: 25 });

  /** Searches for every word; if nothing has every word, for similar words; and then for only some of the words. */
  function search(question: string): SearchResult[] {
    const fuzzy = (word: string) => (word.length > 3 ? 0.25 : false);
    for (const options of [{}, { fuzzy }, { fuzzy, combineWith: 'OR' as const }]) {
      const results = index.search(question, options);
      if (results.length > 0) return results;
    }
    return [];
  }

  return {
    /** Returns the best results first, with at most {@link sectionsOfAPage} sections of each page. */
    find(question: string): Found[] {
      const shown = new Map<string, number>();
      return search(question).flatMap(({ id, terms }) => {
        const entry = byHref.get(id as string);
        const page = entry?.href.split('#')[0] ?? '';
        const before = shown.get(page) ?? 0;
        shown.set(page, before + 1);
        return entry && before < sectionsOfAPage ? { entry, words: new Set(terms) } : [];
      });
    },
    /**
     * Updates the index to the newest public posts.
     * @returns true if a post was added, changed or removed.
     */
    updatePosts({ data, nextCursor }: PublishedPage): boolean {
      const posts = new Map(data.map((post) => [postPath(post.slug), post]));
      const known = [...byHref.values()].filter(({ kind }) => kind === 'Post');
      const outdated = known.filter(({ href, updatedAt }) => {
        const post = posts.get(href);
        // `data` may contain only the newest posts. An older post may still be public.
        return post ? post.updatedAt !== updatedAt : nextCursor === null;
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
          updatedAt: post.updatedAt,
        }));
      for (const entry of added) byHref.set(entry.href, entry);
      index.addAll(added);
      return outdated.length + added.length > 0;
    },
  };
}

/** Stop words, which the search ignores. */
const stopWords = new Set(
  'a an and are as at be by can do for from how i if in into is it its my not of on or our that the their then there these they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Separators of words, the same for the index, queries and highlights. */
const betweenWords = /[\n\r\p{Z}\p{P}\p{S}]+/u;
/** Splits a text into words and the text between them. */
const wordOrGap = /([\n\r\p{Z}\p{P}\p{S}]+)/u;

/**
 * Normalizes a word for comparison: lowercase, without accents and the plural ending.
 * @returns null for a stop word.
 */
export function comparable(word: string): string | null {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain === '' || plain === 's' || stopWords.has(plain) ? null : singular(plain);
}

/** Removes plural endings. A wrong result is harmless, because words of the index and of the query change alike. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss|sh|ch|x|z)es$|s$/, '');
}

/** Approximate length of an extract, and of its text before the first match, in characters. */
const extractLength = 220;
const contextLength = 100;

/**
 * Returns the part of a text that contains the most different matches. It begins with the sentence of the first match,
 * or, in a long sentence, with a word.
 */
export function extractOf(text: string, found: ReadonlySet<string>): string {
  let best = { start: 0, different: 0 };
  const matches: { start: number; word: string }[] = [];
  let at = 0;
  for (const part of text.split(wordOrGap)) {
    const word = comparable(part) ?? '';
    if (found.has(word)) matches.push({ start: at, word });
    at += part.length;
  }
  for (const { start } of matches) {
    const near = matches.filter((match) => match.start >= start && match.start < start + extractLength - contextLength);
    const different = new Set(near.map(({ word }) => word)).size;
    if (different > best.different) best = { start, different };
  }
  const earliest = Math.max(0, best.start - contextLength);
  const before = earliest === 0 ? '' : /^.*[.?!][)”]? /s.exec(text.slice(earliest, best.start))?.[0];
  const from = before === undefined ? Math.min(text.indexOf(' ', earliest) + 1, best.start) : earliest + before.length;
  const cut = text.length > from + extractLength ? text.lastIndexOf(' ', from + extractLength) : text.length;
  // If there is no space at which to cut the text, the extract continues to the end of the text.
  const end = cut > best.start ? cut : text.length;
  return `${before === undefined ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`;
}
