/** Stop words, which the search ignores. */
const empty = new Set(
  'a an and are as at be by can do for from how i if in into is it its my not of on or our that the their then there these they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Separators of words, the same for the index, queries and highlights. */
export const betweenWords = /[\n\r\p{Z}\p{P}\p{S}]+/u;
const wholeWords = /[^\n\r\p{Z}\p{P}\p{S}]+/gu;

/**
 * Normalizes a word for comparison: lowercase, without accents and the plural ending.
 * @returns null for a stop word.
 */
export function comparable(word: string): string | null {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain === '' || plain === 's' || empty.has(plain) ? null : singular(plain);
}

/** Removes plural endings. A wrong result is harmless, because words of the index and of the query change alike. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss|sh|ch|x|z)es$|s$/, '');
}

/** A part of a text that either matches the search or does not. */
export interface Part {
  text: string;
  found: boolean;
}

interface Word {
  start: number;
  end: number;
  plain: string;
}

/**
 * Divides a text into matches and the text between them.
 * @param found words to mark, as {@link comparable} returns them.
 */
export function partsOf(text: string, found: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  let last = 0;
  for (const { start, end } of foundIn(text, found)) {
    if (start > last) parts.push({ text: text.slice(last, start), found: false });
    parts.push({ text: text.slice(start, end), found: true });
    last = end;
  }
  if (last < text.length) parts.push({ text: text.slice(last), found: false });
  return parts;
}

/** Number of characters shown before the first match, as context. */
const before = 50;

/**
 * Returns the part of a text that contains the most different matches, cut between words. Without a match, returns the
 * beginning.
 * @param length approximate length in characters.
 */
export function extractOf(text: string, found: ReadonlySet<string>, length = 190): Part[] {
  const words = foundIn(text, found);
  let best = { start: 0, different: 0 };
  for (const { start } of words) {
    const near = words.filter((word) => word.start >= start && word.end <= start + length - before);
    const different = new Set(near.map(({ plain }) => plain)).size;
    if (different > best.different) best = { start, different };
  }
  const from = best.start > before ? text.indexOf(' ', best.start - before) + 1 : 0;
  const to = text.length > from + length ? text.lastIndexOf(' ', from + length) : text.length;
  // If there is no space at which to cut the text, the extract continues to the end of the text.
  const end = to > best.start ? to : text.length;
  const parts = partsOf(text.slice(from, end), found);
  if (from > 0) parts.unshift({ text: '… ', found: false });
  if (end < text.length) parts.push({ text: ' …', found: false });
  return parts;
}

function foundIn(text: string, found: ReadonlySet<string>): Word[] {
  return [...text.matchAll(wholeWords)]
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length, plain: comparable(word) ?? '' }))
    .filter(({ plain }) => found.has(plain));
}
