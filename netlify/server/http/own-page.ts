import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { ownUtilities } from './own-utilities.ts';

/** A range of the page's HTML, as character indexes. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** A range of the page with its text, or with the replacement text. */
interface Edit extends Part {
  readonly text: string;
}

interface StartTag extends Part {
  readonly classes: readonly string[];
  /** True inside a React island, where classes must not change, because React compares them with those it renders. */
  readonly fixed: boolean;
}

/**
 * Reduces a page of Astro's build to what the page itself uses.
 *
 * - The style sheet contains only the utility classes that the page uses, merged into one class for each combination.
 * - The Content-Security-Policy contains only the hashes of the page's own scripts and styles. Astro lists the hashes
 * of all pages, which takes two kilobytes. On a phone that costs one more round trip before the home page appears.
 * Astro's list also allows each page to run scripts that only another page needs.
 *
 * @param policy the policy from Astro.
 * @param html the page from Astro.
 * @returns the reduced page and its policy.
 */
export function ownPage(policy: string, html: string): { html: string; policy: string } {
  const { texts, tags } = partsOf(html);
  const listed = new Set([...policy.matchAll(/'sha256-([^']+)'/g)].map(([, hash]) => hash));
  const own = texts.filter(({ text }) => listed.has(hashOf(text)));
  const sheet = own.find(({ text }) => text.includes('@layer utilities{'));
  const edits: Edit[] = [];
  const hashes = new Map(own.map(({ text }) => [hashOf(text), hashOf(text)]));
  if (sheet) {
    const utilities = ownUtilities(sheet.text, tags);
    hashes.set(hashOf(sheet.text), hashOf(utilities.css));
    edits.push({ ...sheet, text: utilities.css });
    for (const { start, end, classes, fixed } of tags) {
      if (!fixed) edits.push({ start, end, text: withClasses(html.slice(start, end), utilities.classesOf(classes)) });
    }
  }
  return {
    html: edited(html, edits),
    policy: policy.replaceAll(/ ?'sha256-([^']+)'/g, (_, hash: string) =>
      hashes.has(hash) ? ` 'sha256-${hashes.get(hash)}'` : '',
    ),
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function withClasses(tag: string, classes: readonly string[]): string {
  return tag.replace(/ class=(?:"[^"]*"|'[^']*'|[^\s>]+)/, () => ` class="${classes.join(' ')}"`);
}

/** Returns the page with some of its ranges replaced. */
function edited(html: string, edits: readonly Edit[]): string {
  let made = '';
  let at = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    made += html.slice(at, start) + text;
    at = end;
  }
  return made + html.slice(at);
}

/** Finds the inline scripts and styles of a page, and its start tags that have classes. */
function partsOf(html: string): { texts: Edit[]; tags: StartTag[] } {
  const texts: Edit[] = [];
  const tags: StartTag[] = [];
  let islands = 0;
  let opened = { start: 0, end: 0 };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      opened = { start: parser.startIndex, end: parser.endIndex + 1 };
      if (name === 'astro-island') islands += 1;
      const classes = attributes.class?.split(/\s+/).filter(Boolean);
      if (classes) tags.push({ ...opened, classes, fixed: islands > 0 });
    },
    onclosetag: (name) => {
      if (name === 'astro-island') islands -= 1;
      if (name !== 'script' && name !== 'style') return;
      const { end: start } = opened;
      texts.push({ start, end: parser.startIndex, text: html.slice(start, parser.startIndex) });
    },
  });
  parser.end(html);
  return { texts, tags };
}
