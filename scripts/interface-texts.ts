import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import astro from 'eslint-plugin-astro';
import tseslint from 'typescript-eslint';

/** The visible text of a source file, with line numbers. */
export interface InterfaceTexts {
  /** Path relative to the root of the project. */
  readonly file: string;
  readonly texts: readonly { readonly line: number; readonly text: string }[];
}

const folders = ['src', 'netlify'];

/** This folder is skipped, because a mistake in a migration cannot be corrected: released migrations never change. */
const left = 'netlify/server/db/migrations/';

/** Attributes that contain no text for people. */
const codeAttributes = new Set(['class', 'className', 'class:list', 'style', 'd', 'viewBox', 'points', 'transform']);

/** Words that occur in sentences and not in lists of classes, paths or keywords. */
const functionWord =
  /\b(?:the|an?|is|are|of|to|and|or|in|on|for|it|by|was|not|no|with|from|at|has|have|your|you|we)\b/i;
const sql = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|AND|FROM|WHERE|JOIN)\b/;

interface Node {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [child: string]: unknown;
}

interface Parser {
  parseForESLint(code: string, options: object): { readonly ast: unknown };
}

const astroParser = astro.configs['flat/base']
  .map(({ languageOptions }) => languageOptions?.parser)
  .find((parser) => parser !== undefined) as Parser;

/** Reads the text of every page, component and message in `root`, without tests and comments. */
export function interfaceTexts(root: string): InterfaceTexts[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((file) => /\.(?:astro|tsx?)$/.test(file) && !/\.(?:test|d)\.ts$/.test(file) && !file.startsWith(left))
    .map((file) => ({ file, texts: textsOf(parse(file, readFileSync(join(root, file), 'utf8'))) }));
}

function parse(file: string, code: string): Node {
  const isAstro = file.endsWith('.astro');
  const options = {
    loc: true,
    range: true,
    sourceType: 'module',
    ecmaFeatures: { jsx: !file.endsWith('.ts') },
    ...(isAstro && { parser: tseslint.parser }),
  };
  const { ast } = (isAstro ? astroParser : (tseslint.parser as Parser)).parseForESLint(code, options);
  return ast as Node;
}

function textsOf(node: Node): InterfaceTexts['texts'] {
  const { line } = node.loc.start;
  if (/^(?:Import|Export(?:All|Specifier)|TS(?:Literal|TypeReference))/.test(node.type)) return [];
  if (node.type === 'JSXAttribute') {
    if (codeAttributes.has(attributeName(node))) return [];
    return childrenOf(node)
      .flatMap(textsOf)
      .filter(({ text }) => isForPeople(text));
  }
  if (node.type === 'JSXText') return [{ line, text: String(node['value']) }].filter(({ text }) => /[a-z]/i.test(text));
  if (node.type === 'Literal') return [{ line, text: String(node['value']) }].filter(({ text }) => isForPeople(text));
  if (node.type === 'TemplateLiteral') {
    const text = (node['quasis'] as readonly { value: { cooked: string } }[])
      .map(({ value }) => value.cooked)
      .join(' … ');
    return [...(isForPeople(text) ? [{ line, text }] : []), ...(node['expressions'] as Node[]).flatMap(textsOf)];
  }
  return childrenOf(node).flatMap(textsOf);
}

const notChildren = new Set(['parent', 'tokens', 'comments']);

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, child]) => (notChildren.has(key) ? [] : [child].flat().filter(isNode)));
}

function attributeName({ name }: Node): string {
  const { name: local, namespace } = name as { name: unknown; namespace?: { name: string } };
  return namespace ? `${namespace.name}:${(local as { name: string }).name}` : String(local);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;

function isForPeople(text: string): boolean {
  if (sql.test(text) || /[{}<>[\]]|--|^import\b/.test(text)) return false;
  return /^[A-Z][a-z]+(?:[ .,:…’]|$)/.test(text) || (/\s/.test(text.trim()) && functionWord.test(text));
}
