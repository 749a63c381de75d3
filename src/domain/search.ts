import { sectionText } from './section-text.ts';

/** Address of the search page, and of the index that the build leaves for it. */
export const searchPath = '/search';
export const searchIndexPath = '/search.json';

/** Something that the search can lead to. */
export interface SearchEntry {
  kind: 'Service' | 'Article' | 'Post' | 'Page';
  /** Path of this site, with the fragment of a section; no two entries have the same. */
  href: string;
  title: string;
  /** Title of the page, where the entry is a section of it. */
  of?: string;
  /** Plain text. */
  text: string;
  /** Of a post: the state in which it was read (`listedState`). */
  state?: string;
}

/** Characters of text in the index: less than 150 KB as they are sent. */
export const longestIndex = 350_000;
/** What is kept of a text for which there is no more room. */
const longestOpening = 200;

/** The address of the results for some words; of the page itself without any. */
export function searchAddress(words: string): string {
  return words.trim() === '' ? searchPath : `${searchPath}?${new URLSearchParams({ q: words.trim() })}`;
}

/**
 * Keeps an index small, however much is written: the entries that come first are kept whole, of the others those that are
 * pages, with how they begin.
 * @param room characters of text.
 */
export function withinRoom(entries: readonly SearchEntry[], room = longestIndex): SearchEntry[] {
  let left = room;
  return entries.flatMap((entry) => {
    left -= entry.text.length;
    if (left >= 0) return entry;
    return entry.of === undefined ? { ...entry, text: entry.text.slice(0, longestOpening) } : [];
  });
}

/**
 * The words of an MDX file by its headings of the second and third level: those before the first heading, then those of each.
 * Code blocks and tags are left out; the titles of tables and boxes stay.
 * @param props what `{props.name}` stands for.
 */
export function sectionsOf(body: string, props: Readonly<Record<string, string>> = {}): string[] {
  return body
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/^#{2,3} .*$/m)
    .map((section) =>
      sectionText(
        section
          .replace(/<[A-Z]\w*(?: (?:caption|title)="([^"]*)")?[^>]*>/g, (_, title?: string) =>
            title ? `${title}: ` : '',
          )
          .replace(/\{props\.(\w+)\}/g, (_, name: string) => props[name] ?? '')
          .replace(/\{[^}]*\}/g, ' ')
          .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/^[ \t|:-]+$/gm, '')
          .replace(/^[ \t]*\|/gm, '')
          .replace(/[ \t]*\|[ \t]*$/gm, ';')
          .replace(/^[ \t]*(?:[-*]|\d+\.)[ \t]+(?:\[[ x]\][ \t]+)?/gm, '')
          .replace(/[ \t]*\|[ \t]*/g, ' · ')
          .replace(/\*\*|`/g, ''),
      ),
    );
}
