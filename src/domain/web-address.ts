/** Returns the parsed address, or null. Safari before 18 has no `URL.parse`. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
