import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';

/**
 * Narrows the Content-Security-Policy that Astro makes to one page. Astro lists the hashes of the scripts and styles of
 * all pages, which takes two kilobytes: on a phone, one more round trip before the home page appears. It also lets each page
 * run what only another page needs.
 *
 * @param policy as Astro made it.
 * @param html the page as it is sent.
 * @returns the policy with the hashes of the page's own inline scripts and styles, and no others.
 */
export function ownPolicy(policy: string, html: string): string {
  const own = new Set(inlineTexts(html).map((text) => createHash('sha256').update(text).digest('base64')));
  return policy.replaceAll(/ ?'sha256-([^']+)'/g, (named, hash: string) => (own.has(hash) ? named : ''));
}

/** Returns the text of each inline script and style of a page. */
function inlineTexts(html: string): string[] {
  const texts: string[] = [];
  let text: string | null = null;
  const parser = new Parser({
    onopentagname: (name) => (text = name === 'script' || name === 'style' ? '' : null),
    ontext: (part) => {
      if (text !== null) text += part;
    },
    onclosetag: () => {
      if (text !== null) texts.push(text);
      text = null;
    },
  });
  parser.end(html);
  return texts;
}
