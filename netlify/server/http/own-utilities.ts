import { LRUCache } from 'lru-cache';

const layer = '@layer utilities{';
const classInSelector = /\.((?:\\.|[\w-])+)/g;

export interface Element {
  readonly classes: readonly string[];
  /** True if a script sets the element's classes, as React does inside an island. These classes are not replaced. */
  readonly fixed: boolean;
}

interface Rule {
  /** The preludes of the enclosing at-rules, outermost first, such as `@media print` and `@supports (x)`. */
  readonly queries: readonly string[];
  readonly selector: string;
  readonly classes: readonly string[];
  readonly body: string;
}

interface Sheet {
  /** The start and end of the contents of the utilities layer. */
  readonly start: number;
  readonly end: number;
  readonly rules: readonly Rule[];
}

/**
 * Parsed style sheets, keyed by text. A page that is rendered on each request has the same sheet each time, so the
 * sheet is parsed only once.
 */
const sheets = new LRUCache<string, Sheet>({ max: 16 });

/**
 * Merges all utility classes of an element into one generated class. The page then contains only the utilities that it
 * uses, and long lists of classes cost no bytes.
 *
 * @param css a minified style sheet. Tailwind generates one for all pages, with the utilities in a layer.
 * @param elements of the page, including those in templates.
 * @returns the page's style sheet, and a function that returns the new classes of an element.
 */
export function ownUtilities(css: string, elements: readonly Element[]) {
  const { start, end, rules } = sheetOf(css);
  const fixed = new Set([
    ...elements.filter((element) => element.fixed).flatMap(({ classes }) => classes),
    ...rules.filter(({ classes }) => classes.length > 1).flatMap(({ classes }) => classes),
  ]);
  const compiled = new Set(rules.flatMap(({ classes }) => classes).filter((name) => !fixed.has(name)));
  const taken = new Set(elements.flatMap(({ classes }) => classes));
  const utilitiesOf = (classes: readonly string[]) =>
    classes
      .filter((name) => compiled.has(name))
      .toSorted()
      .join(' ');

  /** The generated class names, by the lists of utilities that they replace. */
  const names = new Map<string, string>();
  for (const { classes } of elements) {
    const utilities = utilitiesOf(classes);
    if (utilities !== '' && !names.has(utilities)) names.set(utilities, nextName(taken));
  }
  const made = [...names].map(([utilities, name]) => ({ name, utilities: new Set(utilities.split(' ')) }));

  let own = '';
  for (const run of runsOf(rules)) {
    const bodies = new Map<string, string[]>();
    const add = (selector: string, body: string) => bodies.set(selector, [...(bodies.get(selector) ?? []), body]);
    for (const { name, utilities } of made) {
      for (const { selector, classes, body } of run) {
        if (classes.every((one) => utilities.has(one))) add(selector.replace(classInSelector, `.${name}`), body);
      }
    }
    for (const { selector, classes, body } of run) {
      if (classes.every((one) => fixed.has(one) && taken.has(one))) add(selector, body);
    }
    const queries = run[0]?.queries ?? [];
    const text = [...bodies].map(([selector, parts]) => `${selector}{${parts.join(';')}}`).join('');
    if (text !== '') own += queries.map((query) => `${query}{`).join('') + text + '}'.repeat(queries.length);
  }
  return {
    css: css.slice(0, start) + own + css.slice(end),
    classesOf: (classes: readonly string[]): string[] => {
      const name = names.get(utilitiesOf(classes));
      return name === undefined ? [...classes] : [...classes.filter((one) => !compiled.has(one)), name];
    },
  };
}

function sheetOf(css: string): Sheet {
  const known = sheets.get(css);
  if (known) return known;
  const at = css.indexOf(layer);
  const start = at < 0 ? 0 : at + layer.length;
  const end = at < 0 ? 0 : closingBrace(css, start);
  const sheet = { start, end, rules: rulesOf(css.slice(start, end), []) };
  sheets.set(css, sheet);
  return sheet;
}

/** Returns the rules of a minified sheet, one for each selector. */
function rulesOf(css: string, queries: readonly string[]): Rule[] {
  const rules: Rule[] = [];
  for (let at = 0; at < css.length;) {
    const open = nextBrace(css, at).at;
    const close = closingBrace(css, open + 1);
    const prelude = css.slice(at, open);
    const body = css.slice(open + 1, close);
    if (prelude.startsWith('@')) rules.push(...rulesOf(body, [...queries, prelude]));
    else {
      for (const selector of selectorsOf(prelude))
        rules.push({ queries, selector, classes: classesOf(selector), body });
    }
    at = close + 1;
  }
  return rules;
}

/** Groups consecutive rules that have the same enclosing at-rules. */
function runsOf(rules: readonly Rule[]): Rule[][] {
  const runs: Rule[][] = [];
  for (const rule of rules) {
    const last = runs.at(-1);
    if (last?.[0]?.queries.join() === rule.queries.join()) last.push(rule);
    else runs.push([rule]);
  }
  return runs;
}

/** Splits a list of selectors at the commas outside of parentheses. */
function selectorsOf(list: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const [token] of list.matchAll(/\\.|[^]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) selectors.push('');
    else selectors.push(selectors.pop() + token);
  }
  return selectors;
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(classInSelector)].map(([, name]) => name!.replaceAll(/\\(.)/g, '$1'));
}

/** Returns the next unused name (`a` to `Z`, then `aa` and so on) and marks it as used. */
function nextName(taken: Set<string>): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  for (const first of ['', ...letters]) {
    for (const last of letters) {
      const name = first + last;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  }
  throw new Error('A page has more than 2,700 different lists of utilities.');
}

/** Returns the position of the brace that closes the block whose contents begin at `from`. */
function closingBrace(css: string, from: number): number {
  for (let depth = 1, at = from; ; at += 1) {
    const brace = nextBrace(css, at);
    at = brace.at;
    depth += brace.opens ? 1 : -1;
    if (depth === 0) return at;
  }
}

/** Finds the next brace outside of strings and escapes. */
function nextBrace(css: string, from: number): { at: number; opens: boolean } {
  const token = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}]/g;
  token.lastIndex = from;
  for (let match = token.exec(css); match; match = token.exec(css)) {
    if (match[0] === '{' || match[0] === '}') return { at: match.index, opens: match[0] === '{' };
  }
  throw new Error('A style sheet ends within a rule.');
}
