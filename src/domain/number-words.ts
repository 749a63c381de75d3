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
