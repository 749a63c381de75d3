/** Matches the tags inside a sentence. All other tags separate words. */
const inlineTag = /<\/?(?:a|abbr|b|code|del|em|i|ins|mark|s|small|span|strike|strong|sub|sup|u)\b[^<>]*>/gi;

/**
 * Returns the text of HTML without tags, such as that of a home text (docs/product.md#home-texts) or a post. The result
 * is plain text, so insert it as text, never as HTML.
 */
export function textOfHtml(html: string): string {
  return html
    .replace(inlineTag, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Escapes text for the content of an HTML element. Quotation marks are not escaped, so the result is not safe in an
 * attribute.
 */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Removes characters that XML, and therefore a feed, does not allow, and replaces unpaired surrogates. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}

/** Escapes text for an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;');
}

/** Joins items as in a sentence: `A`, `A and B`, `A, B, and C`. */
export const listText = (items: readonly string[]): string => new Intl.ListFormat('en-US').format(items);

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Returns a number from 0 to 10 as a word ("no" to "ten"), and a larger number in digits. */
export const inWords = (count: number): string => words[count] ?? String(count);

/**
 * Formats a nonnegative whole number with commas, such as `3,412`. Does not use `Intl`, because the first use is slow
 * and would delay the admin's first screen.
 */
export function numberText(count: number): string {
  if (count < 1_000) return String(count);
  return `${numberText(Math.floor(count / 1_000))},${String(count % 1_000).padStart(3, '0')}`;
}

const sizeUnits = ['Bytes', 'KB', 'MB', 'GB'];

/** Returns a size in Bytes, KB, MB or GB with up to 2 decimals (docs/product.md#media-library). */
export function sizeText(bytes: number): string {
  if (bytes <= 0) return '0 Bytes';
  const unit = Math.min(sizeUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** unit).toFixed(2))} ${sizeUnits[unit]}`;
}

/**
 * Returns the year for the copyright line, such as `2026`.
 * @param timeZone the firm's time zone, so the year changes at midnight where the firm is.
 */
export function copyrightYear(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone }).format(date);
}

/** Maximum length of a page's description, in characters. Search engines cut longer ones. */
export const longestDescription = 160;
