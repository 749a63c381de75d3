import { parseUrl } from '../../../domain/web-address.ts';

/**
 * Whether a post may contain this link: a web URL, an email address, a phone number, a path on this site or a
 * `#fragment`.
 */
export function isAllowedLink(address: string): boolean {
  const text = address.trim();
  if (/^#[\w-]+$/.test(text)) return true;
  // A path. Browsers read `//host` and `/\host` as URLs of other sites.
  if (/^\/(?![/\\])/.test(text)) return true;
  if (/^tel:\+?[\d().\s-]+$/i.test(text)) return true;
  if (/^mailto:[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/i.test(text)) return true;
  if (!/^https?:\/\//i.test(text)) return false;
  return parseUrl(text) !== null;
}

/**
 * Completes the text typed into the link dialog: `example.com` becomes an https URL, `a@b.c` a mailto link.
 * @returns null if {@link isAllowedLink} does not allow the completed URL.
 */
export function linkOf(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  if (/^[^\s@/:]+@[^\s@/.]+(?:\.[^\s@/.]+)+$/.test(text)) return `mailto:${text}`;
  if (/^http:\/\//i.test(text)) return linkOf(`https://${text.slice('http://'.length)}`);
  if (isAllowedLink(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[a-z0-9.-]+\.[a-z]{2,}(:\d+)?(\/|$)/i.test(text)) return null;
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}([/:?#]|$)/i.test(text)) return linkOf(`https://${text}`);
  return null;
}
