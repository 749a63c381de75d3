/** Maximum length of a slug in characters. */
export const longestSlug = 120;

/**
 * Returns the slug for a title (docs/product.md#posts). Letters of every script, digits and hyphens stay; letters
 * become lowercase. Each run of spaces and hyphens becomes one hyphen. Hyphens at the ends are removed.
 * @returns an empty string if the title has no letters and no digits.
 */
export function slugOf(title: string): string {
  return title
    .slice(0, 4 * longestSlug)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s-]/gu, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestSlug)
    .replace(/-$/, '');
}
