import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';

/**
 * Reduces a page of Astro's build to what the page itself uses.
 *
 * - The style sheet contains only the utility classes that the page uses.
 * - The Content-Security-Policy contains only the hashes of the page's own scripts and styles. Astro lists the hashes
 * of all pages, which takes two kilobytes. On a phone that costs one more round trip before the home page appears.
 * Astro's list also allows each page to run scripts that only another page needs.
 * - The body contains no style element, which HTML does not allow there. src/styles/reset.css has the same rule.
 * - Islands have no `uid`. Nothing reads it, and its value depends on the path of the project's folder.
 *
 * @param policy the policy from Astro.
 * @param original the page from Astro.
 * @returns the reduced page and its policy.
 */
export function reducePage(policy: string, original: string): { html: string; policy: string } {
  const html = original.replace(islandStyle, '').replaceAll(/(?<=<astro-island) uid="\w+"/g, '');
  const { texts, classes } = partsOf(html);
  const hashes = new Map<string, string>();
  let reduced = html;
  for (const { start, text } of texts.toReversed()) {
    const hash = hashOf(text);
    if (!policy.includes(`'sha256-${hash}'`)) continue;
    const css = withUsedUtilities(text, classes);
    hashes.set(hash, hashOf(css));
    reduced = reduced.slice(0, start) + css + reduced.slice(start + text.length);
  }
  return {
    html: reduced,
    policy: policy.replaceAll(/ ?'sha256-([^']+)'/g, (_, hash: string) =>
      hashes.has(hash) ? ` 'sha256-${hashes.get(hash)}'` : '',
    ),
  };
}

/** The style that Astro writes in front of the first island. */
const islandStyle = '<style>astro-island,astro-slot,astro-static-slot{display:contents}</style>';

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

interface InlineText {
  /** The index of the first character in the page's HTML. */
  readonly start: number;
  readonly text: string;
}

/** Finds the inline scripts and styles of a page, and the classes of its elements, including those in templates. */
function partsOf(html: string): { texts: InlineText[]; classes: ReadonlySet<string> } {
  const texts: InlineText[] = [];
  const classes = new Set<string>();
  let start = 0;
  const parser = new Parser({
    onopentag: (_, attributes) => {
      start = parser.endIndex + 1;
      for (const name of attributes.class?.split(/\s+/) ?? []) classes.add(name);
    },
    onclosetag: (name) => {
      if (name === 'script' || name === 'style') texts.push({ start, text: html.slice(start, parser.startIndex) });
    },
  });
  parser.end(html);
  return { texts, classes };
}

const layer = '@layer utilities{';

/** Removes unused rules from the layer of utilities of a minified style sheet. Does not change any other text. */
function withUsedUtilities(css: string, used: ReadonlySet<string>): string {
  const start = css.indexOf(layer) + layer.length;
  if (start < layer.length) return css;
  const end = closingBrace(css, start);
  return css.slice(0, start) + usedRules(css.slice(start, end), used) + css.slice(end);
}

function usedRules(css: string, used: ReadonlySet<string>): string {
  let kept = '';
  for (let at = 0; at < css.length;) {
    const open = braceAfter(css, at).at;
    const close = closingBrace(css, open + 1);
    const prelude = css.slice(at, open);
    if (prelude.startsWith('@')) {
      const rules = usedRules(css.slice(open + 1, close), used);
      if (rules !== '') kept += `${prelude}{${rules}}`;
    } else if (classesOf(prelude).some((names) => names.every((name) => used.has(name)))) {
      kept += css.slice(at, close + 1);
    }
    at = close + 1;
  }
  return kept;
}

/**
 * Returns the classes that an element and its ancestors need, for each selector of a list. Parts of a selector such as
 * `:is(.a, .b)` count as selectors of their own, so too many rules may be kept, but no used one is removed.
 */
function classesOf(selectors: string): string[][] {
  const needed = selectors.replaceAll(/:not\([^()]*\)/g, '').split(/(?<!\\),/);
  return needed.map((selector) =>
    [...selector.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name]) => name!.replaceAll(/\\(.)/g, '$1')),
  );
}

/** Returns the position of the brace that closes the block whose contents begin at `from`. */
function closingBrace(css: string, from: number): number {
  for (let depth = 1, at = from; ; at += 1) {
    const brace = braceAfter(css, at);
    at = brace.at;
    depth += brace.opens ? 1 : -1;
    if (depth === 0) return at;
  }
}

/** Finds the next brace outside of strings and escapes. */
function braceAfter(css: string, from: number): { at: number; opens: boolean } {
  const token = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}]/g;
  token.lastIndex = from;
  for (let match = token.exec(css); match; match = token.exec(css)) {
    if (match[0] === '{' || match[0] === '}') return { at: match.index, opens: match[0] === '{' };
  }
  throw new Error('A style sheet ends within a rule.');
}
