/** Joins items as in a sentence: `A`, `A and B`, `A, B, and C`. */
export function listText(items: readonly string[]): string {
  if (items.length < 3) return items.join(' and ');
  return `${items.slice(0, -1).join(', ')}, and ${items.at(-1)}`;
}
