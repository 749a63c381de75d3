/** What a segment may hold unescaped, beyond what `encodeURIComponent` leaves (RFC 3986, `pchar`). */
const leftAsTheyAre = /%(24|26|2B|2C|3A|3B|3D|40)/g;

/** A decoded segment that no file, page or route has: it would be read as another path, or end a name early. */
const impossible = /[/\\\u0000-\u001f\u007f]|^\.{1,2}$/;

/** Letters, digits and marks that are never escaped, in segments without a slash at the end: nearly every request. */
const plain = /^(?:\/(?!\.{1,2}(?:\/|$))[\w~.,-]+)+$/;

/**
 * Spells a path in the one way in which the site names it: no empty segments, no slash at the end, and nothing escaped that
 * need not be. The result of a path is its own result, so a redirect to it happens once; it begins with one slash and a
 * segment, so it never leads to another site.
 * @returns null for a path that names nothing: broken escapes, an escaped slash, control characters.
 */
export function canonicalPath(pathname: string): string | null {
  if (plain.test(pathname)) return pathname;
  const segments: string[] = [];
  for (const segment of pathname.split('/')) {
    if (segment === '') continue;
    let decoded: string;
    try {
      decoded = decodeURIComponent(segment);
    } catch {
      return null;
    }
    if (impossible.test(decoded)) return null;
    segments.push(
      encodeURIComponent(decoded.toWellFormed()).replace(leftAsTheyAre, (escape) => decodeURIComponent(escape)),
    );
  }
  return `/${segments.join('/')}`;
}
