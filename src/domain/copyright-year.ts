/**
 * Returns the year for the copyright line, such as `2026`.
 * @param timeZone the firm's time zone, so the year changes at midnight where the firm is.
 */
export function copyrightYear(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone }).format(date);
}
