/** Paths of the search page and of its index, a file that the build creates. */
export const searchPath = '/search';
export const searchIndexPath = '/search.json';

/** A page, or a section of a page, that the search can find. */
export interface SearchEntry {
  kind: 'Service' | 'Article' | 'Post' | 'Page';
  /** Unique path, with the fragment if the entry is a section. */
  href: string;
  title: string;
  /** For a section: the title of its page. */
  of?: string;
  /** Plain text. */
  text: string;
  /** For a post: its last change before the index was built. */
  updatedAt?: string;
}

/** Maximum length of all texts in the index, in characters. The compressed index then stays below 150 KB. */
const longestIndex = 350_000;
/** Once the index is longer than {@link longestIndex}, each further page's text is cut to this many characters. */
const longestOpening = 200;

/** Returns the path of the results for some words, or of the search page if there are no words. */
export function searchAddress(words: string): string {
  return words.trim() === '' ? searchPath : `${searchPath}?${new URLSearchParams({ q: words.trim() })}`;
}

/**
 * Limits the size of the index. Entries stay unchanged until their texts reach `room` characters in total. After that,
 * an entry for a page is cut after {@link longestOpening} characters, and an entry for a section is dropped.
 */
export function withinRoom(entries: readonly SearchEntry[], room = longestIndex): SearchEntry[] {
  let left = room;
  return entries.flatMap((entry) => {
    left -= entry.text.length;
    if (left >= 0) return entry;
    return entry.of === undefined ? { ...entry, text: entry.text.slice(0, longestOpening) } : [];
  });
}
