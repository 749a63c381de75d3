import { createHash } from 'node:crypto';

/** An inline script or style with its text. Attributes are passed over whole: one may hold a `>`. */
const inlineElements = /<(script|style)\b(?:"[^"]*"|'[^']*'|[^'">])*>(.*?)<\/\1\s*>/gis;

/**
 * The Content-Security-Policy of one page. Astro names in it the scripts and styles of all pages, two kilobytes of hashes:
 * on a phone those alone were a round trip more before the home page showed. They also allowed each page what only another
 * needs.
 *
 * @param policy as Astro made it.
 * @param html the page as it is sent.
 * @returns the policy with the hashes of the page's own elements and no others.
 */
export function ownPolicy(policy: string, html: string): string {
  const own = new Set(
    Array.from(html.matchAll(inlineElements), ([, , text = '']) => createHash('sha256').update(text).digest('base64')),
  );
  return policy.replaceAll(/\s*'sha256-([^']+)'/g, (named, hash: string) => (own.has(hash) ? named : ''));
}
