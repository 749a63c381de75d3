import { parseUrl } from '../../domain/web-address.ts';

/** The addresses that a post may lead to: https, an e-mail address, a phone number, or a place on this site. */
export function isAllowedLink(address: string): boolean {
  const text = address.trim();
  if (/^#[\w-]+$/.test(text)) return true;
  // A second slash would begin the name of another site.
  if (/^\/(?![/\\])/.test(text)) return true;
  if (/^tel:\+?[\d().\s-]+$/i.test(text)) return true;
  if (/^mailto:[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/i.test(text)) return true;
  if (!/^https?:\/\//i.test(text)) return false;
  return parseUrl(text) !== null;
}

/**
 * What somebody meant by what they typed into the link dialog: `example.com` is an https address, `a@b.c` an e-mail one.
 * @returns null where it can be none of those that {@link isAllowedLink} allows.
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
