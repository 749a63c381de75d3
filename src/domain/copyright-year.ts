/**
 * The year of the copyright line, such as `2026`.
 * @param timeZone the firm's: its year is over when its own clocks say so.
 */
export function copyrightYear(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone }).format(date);
}
