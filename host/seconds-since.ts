/** Returns the seconds since a time in milliseconds, as text. */
export function secondsSince(time: number): string {
  return `${((Date.now() - time) / 1000).toFixed(1)} s`;
}
