import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { attributeSyntax, tokenSyntax } from '../../netlify/server/files/xml.ts';

/**
 * Files that are not checked, because they process only texts of this repository, at build time. Anyone who can change
 * those texts can also change the code.
 */
const buildTime =
  /^(host\/netlify-output|src\/components\/drawings\/|src\/domain\/(article|search)|src\/pages\/(social|articles\.json))/;

/**
 * Caches the expressions that earlier runs proved safe. A check takes a tenth of a second, and expressions rarely
 * change.
 */
const provenFile = '.cache/linear-expressions.json';

const keyOf = ({ source, flags }: Pick<Found, 'source' | 'flags'>) => `${source}/${flags}`;

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the code of a file: the frontmatter of an Astro component, or the whole text of another file. */
function scriptsOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.astro') ? (/^---\n([^]*?)\n---/.exec(text)?.[1] ?? '') : text;
}

/** Finds every literal that contains a repetition. Expressions without a repetition take linear time. */
function literalsIn(file: string): Found[] {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, scriptsOf(file), ts.ScriptTarget.Latest, true, kind);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && /[*+{]/.test(node.text)) {
      const [, source = '', flags = ''] = /^\/([^]*)\/([a-z]*)$/.exec(node.text) ?? [];
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push({ where: `${file}:${line + 1}`, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Milliseconds. By default, the checker takes an attempt of more than a second for an attack, even on a busy machine. */
const limits = { timeout: 60_000, attackTimeout: 10_000, recallTimeout: -10_000 };

/** Explains why an expression is slow; null if it takes linear time. */
async function problemOf({ where, source, flags }: Found): Promise<string | null> {
  const result = await check(source, flags, limits);
  if (result.status === 'safe') return null;
  const named = `${where} /${source}/${flags}`;
  if (result.status === 'unknown') return `${named}: not known (${result.error.kind})`;
  return `${named}: ${result.complexity.summary} time, with ${result.attack.pattern}`;
}

test('The checker finds the expressions that once stopped this site', async () => {
  const known: [source: string, flags: string][] = [
    ['(?:a-?)+x', ''],
    ['https?:\\/\\/|www\\.|\\b[a-z0-9-]+\\.(?:ru|xyz)\\b', 'gi'],
    ['\\S*[\\p{L}\\p{N}]\\S*', 'gu'],
    ['<(h[23])>([\\s\\S]*?)<\\/\\1>', 'g'],
    ['\\s*(?:([^{}@;]+)\\{([^{}]*)\\}|@[^{};]*(?:;|\\{(?:[^{}]|\\{[^{}]*\\})*\\}))', 'y'],
  ];
  for (const [source, flags] of known) expect((await check(source, flags)).status, source).toBe('vulnerable');
  expect(await problemOf({ where: 'before', source: '\\s+$', flags: '' })).toContain('2nd degree polynomial time');
  expect(await problemOf({ where: 'now', source: '<[^<>]*>', flags: 'g' })).toBeNull();
}, 60_000);

test('Every regular expression takes linear time', async () => {
  const files = globSync('{src,netlify,host,content}/**/*.{ts,tsx,astro}')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && !buildTime.test(file));
  // These expressions are assembled from strings, so the search for literals does not find them. If another file
  // calls `RegExp(`, add the file to the list of `makers` below, and its expressions to `made`.
  const made = [tokenSyntax, attributeSyntax].map(({ source, flags }) => ({ where: 'files/xml.ts', source, flags }));
  const makers = files.filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')));
  expect(makers.sort()).toEqual([
    'netlify/server/files/xml.ts',
    // The expression in this file matches the end tag of `script`, `style` or `pre`, so it takes linear time.
    'src/admin/posts/editor/html-text.ts',
    // The expressions in this file are applied only to the design tokens of this repository, so no attacker can slow
    // them down.
    'src/styles/color.ts',
  ]);
  const literals = [...made, ...files.flatMap(literalsIn)];
  // An expression that occurs in two files is checked once.
  const different = [...new Map(literals.map((literal) => [keyOf(literal), literal])).values()];
  expect(different.length).toBeGreaterThan(80);
  const problems: string[] = [];
  const proven = new Set(
    await readFile(provenFile, 'utf8').then(
      (text) => JSON.parse(text) as string[],
      () => [],
    ),
  );
  const next = different.filter((literal) => !proven.has(keyOf(literal))).values();
  const worker = async () => {
    for (const literal of next) {
      const problem = await problemOf(literal);
      if (problem) problems.push(problem);
      else proven.add(keyOf(literal));
    }
  };
  // Two checks run at the same time, because each is a separate process.
  await Promise.all([worker(), worker()]);
  await mkdir(dirname(provenFile), { recursive: true });
  await writeFile(provenFile, JSON.stringify([...proven].sort()));
  expect(problems).toEqual([]);
}, 180_000);
