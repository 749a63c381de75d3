/** Replaces `URL.parse`, which Safari before version 18 does not have. Returns null for an invalid URL. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Returns true for an https URL, and for a path that no browser resolves to another host. */
export function isPictureAddress(address: string): boolean {
  if (/^\/(?![/\\])\S*$/.test(address)) return true;
  return /^https:\/\/\S+$/i.test(address) && parseUrl(address) !== null;
}
