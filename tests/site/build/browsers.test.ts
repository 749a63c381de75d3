import { readFileSync } from 'node:fs';
import css from '@eslint/css';
import { load } from 'cheerio';
import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import { files, read } from '../built-site.ts';

/** Features that pages do not depend on. docs/browsers.md lists them in the first columns of its tables. */
const documented = [...readFileSync('docs/browsers.md', 'utf8').matchAll(/^\| (`.+?`) +\|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
);

const sheets = new Map<string, string>();
for (const file of files) {
  if (file.endsWith('.css')) sheets.set(read(file).toString(), file);
  if (!file.endsWith('.html')) continue;
  const $ = load(read(file).toString());
  for (const style of $('style')) sheets.set($(style).text(), file);
}

test('The styles of every page work in all supported browsers, or are documented as an enhancement', () => {
  expect(sheets.size).toBeGreaterThan(10);
  const linter = new Linter();
  const config: Linter.Config = {
    files: ['**/*.css'],
    plugins: { css },
    language: 'css/css',
    // The parser does not know nested rules inside a nested at-rule.
    languageOptions: { tolerant: true },
    rules: { 'css/use-baseline': ['error', { available: 'widely' }] },
  };
  const problems = new Map<string, string>();
  for (const [text, file] of sheets) {
    for (const { message } of linter.verify(text, config, 'page.css')) problems.set(message, file);
  }
  const isDocumented = ([problem]: [string, string]) => documented.some((name) => problem.includes(`'${name}'`));
  expect([...problems].filter((problem) => !isDocumented(problem))).toEqual([]);
});

/** The at-rules of CSS that pages use. Tailwind has others, which only the build understands. */
const atRules =
  /^@(charset|container|font-face|keyframes|layer|media|page|property|starting-style|supports|view-transition)$/;

test('The styles of every page have no rule that only the build understands', () => {
  const found = [...sheets].flatMap(([text, file]) =>
    [...text.matchAll(/(?<![\\\w])@[a-z-]+/g)]
      .filter(([rule]) => !atRules.test(rule))
      .map(([rule]) => `${file}: ${rule}`),
  );
  expect(found).toEqual([]);
});

test('The styles of every page define each font, size and color that they use', () => {
  const definedIn = (text: string) => [...text.matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name);
  // Styles in files load into the admin's page.
  const admin = [...sheets].flatMap(([text, file]) => (/\.css$|^\/admin.*\.html$/.test(file) ? definedIn(text) : []));
  const found = [...sheets].flatMap(([text, file]) => {
    const defined = new Set(file.endsWith('.css') ? admin : definedIn(text));
    const used = new Set([...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
    return [...used].filter((name) => !defined.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});
