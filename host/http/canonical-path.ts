/**
 * Matches the escapes of characters that `encodeURIComponent` escapes, although a path segment may contain them
 * unescaped (`pchar` in RFC 3986).
 */
const leftAsTheyAre = /%(24|26|2B|2C|3A|3B|3D|40)/g;

/**
 * Matches decoded segments that no file, page or route has: a slash or `..` would change the path, and a control
 * character could cut off the file name.
 */
const impossible = /[/\\\u0000-\u001f\u007f]|^\.{1,2}$/;

/**
 * Returns the canonical spelling of a path: without empty segments, without a slash at the end, and without unnecessary
 * escapes. For a path that is already canonical, returns the same path, so a request is redirected at most once. The
 * result never begins with two slashes, because a redirect to `//host` would lead to another site.
 * @returns null for invalid paths: broken escapes, escaped slashes, control characters, and `.` and `..` segments.
 */
export function canonicalPath(pathname: string): string | null {
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
