import { parseUrl } from '../../../domain/text/web-address.ts';

/**
 * Whether a post may contain this link: a web URL, an email address, a phone number, a path on this site or a
 * `#fragment`. Browsers read `//host` and `/\host` as URLs of other sites.
 */
export function isAllowedLink(address: string): boolean {
  const text = address.trim();
  if (/^https?:\/\//i.test(text)) return parseUrl(text) !== null;
  return /^(#[\w-]+$|\/(?![/\\])|tel:\+?[\d().\s-]+$|mailto:[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$)/i.test(text);
}

/**
 * Completes the text typed into the link dialog: `example.com` becomes an https URL, `a@b.c` a mailto link.
 * @returns null if {@link isAllowedLink} does not allow the completed URL.
 */
export function linkOf(typed: string): string | null {
  const text = typed.trim();
  if (/^http:\/\//i.test(text)) return linkOf(`https://${text.slice('http://'.length)}`);
  if (isAllowedLink(text)) return text;
  if (isAllowedLink(`mailto:${text}`) && !text.includes(':')) return `mailto:${text}`;
  // A domain name with an optional port and path.
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}([/?#]|:\d|$)/i.test(text) ? linkOf(`https://${text}`) : null;
}
