import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { superLinear, timeOf } from '../support/stall.ts';
import { attributeSyntax, tokenSyntax } from '../../netlify/server/files/xml.ts';

/**
 * Files that read nothing but texts of this repository, while the site is built. Whoever could write a hostile text there
 * could change the code as well.
 */
const buildTime =
  /^(host\/netlify-output|src\/components\/drawings\/|src\/domain\/(article|search)|src\/pages\/(social|articles\.json))/;

/** What was found to be safe before: a check takes a tenth of a second, and expressions rarely change. */
const provenFile = '.cache/linear-expressions.json';

const keyOf = ({ source, flags }: Pick<Found, 'source' | 'flags'>) => `${source}/${flags}`;

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** The scripts of a file: all of it, or what an Astro component has between its fences and in its expressions. */
function scriptsOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.astro') ? (/^---\n([^]*?)\n---/.exec(text)?.[1] ?? '') : text;
}

/** Every literal with something that repeats; any other takes the same time for each character. */
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

/** Characters of the texts with which a suspicion is tried out: quadratic time is 64 times as long for the last. */
const lengths = [1_000, 2_000, 4_000, 8_000];

/**
 * What is wrong with an expression, in words for whoever wrote it; null where it takes linear time. The checker counts
 * steps, and so takes many steps for each character for too many: its own attack has to take more than linear time, too.
 */
async function problemOf({ where, source, flags }: Found): Promise<string | null> {
  const result = await check(source, flags, { timeout: 20_000 });
  if (result.status === 'safe') return null;
  const named = `${where} /${source}/${flags}`;
  if (result.status === 'unknown') return `${named}: not known (${result.error.kind})`;
  const { pumps, suffix, pattern } = result.attack;
  const attack = (length: number) => {
    const repeated = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
    const times = Math.ceil(length / Math.max(1, repeated));
    return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
  };
  const expression = new RegExp(source, flags);
  const times: number[] = [];
  for (const length of lengths) {
    const text = attack(length);
    times.push(timeOf(() => text.replace(expression, ''), 3));
    // Cubic time would last for minutes.
    if ((times.at(-1) ?? 0) > 300) break;
  }
  const isLinear = (times.at(-1) ?? 0) / Math.max(0.25, times[0] ?? 0) < superLinear;
  return isLinear ? null : `${named}: ${result.complexity.summary} time, with ${pattern}`;
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
  // Made of parts, so no literals. Another file that makes expressions has to be listed here with them.
  const made = [tokenSyntax, attributeSyntax].map(({ source, flags }) => ({ where: 'files/xml.ts', source, flags }));
  const makers = files.filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')));
  expect(makers.sort()).toEqual([
    'netlify/server/files/xml.ts',
    // The end of an element whose name is one of three.
    'src/admin/posts/editor/html-text.ts',
    // Reads the tokens of this repository.
    'src/styles/color.ts',
  ]);
  const literals = [...made, ...files.flatMap(literalsIn)];
  // The same expression in two files is checked once.
  const different = [...new Map(literals.map((literal) => [keyOf(literal), literal])).values()];
  expect(different.length).toBeGreaterThan(80);
  const problems: string[] = [];
  // Two at a time: each check is a process of its own.
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
  await Promise.all([worker(), worker()]);
  await mkdir(dirname(provenFile), { recursive: true });
  await writeFile(provenFile, JSON.stringify([...proven].sort()));
  expect(problems).toEqual([]);
}, 180_000);
