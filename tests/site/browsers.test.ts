import { readFileSync } from 'node:fs';
import css from '@eslint/css';
import { load } from 'cheerio';
import { Linter } from 'eslint';
import baselineJs from 'eslint-plugin-baseline-js';
import { expect, test } from 'vitest';
import { features } from 'web-features';
import { oldestBrowsers } from '../../host/supported-browsers.ts';
import { files, read } from './built-site.ts';

type Versions = { readonly [browser: string]: string | undefined };
type Schema = Record<string, { items?: { enum: string[] } }>;

/** The oldest supported browser versions, by their names in web-features. */
const oldest = new Map(
  oldestBrowsers().map((browser) => {
    const [, name = '', version] = /^([a-z]+)([\d.]+)$/.exec(browser) ?? [];
    return [name === 'ios' ? 'safari_ios' : name, Number(version)];
  }),
);

function isSupported(support: Versions): boolean {
  return [...oldest].every(
    ([browser, version]) => Number.parseFloat(support[browser]?.replace('≤', '') ?? '') <= version,
  );
}

/** Whether every supported browser has a feature: by key of browser-compat-data, and by id of web-features. */
const byKey = new Map<string, boolean>();
const byId = new Map<string, boolean>();
for (const [id, feature] of Object.entries(features)) {
  if (feature.kind !== 'feature') continue;
  byId.set(id, isSupported({ ...feature.status.support }));
  for (const [key, { support }] of Object.entries(feature.status.by_compat_key ?? {}))
    byKey.set(key, isSupported({ ...support }));
}

/** Features that pages do not depend on. docs/browsers.md lists them in the first columns of its tables. */
const documented = [...readFileSync('docs/browsers.md', 'utf8').matchAll(/^\| (`.+?`) +\|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
);

/** Returns options for the rule `css/use-baseline`, such as `allowAtRules`, that list all supported features. */
function allowed(schema: Schema): Record<string, string[]> {
  const prefixes = {
    allowAtRules: 'css.at-rules.',
    allowFunctions: 'css.types.',
    allowMediaConditions: 'css.at-rules.media.',
    allowProperties: 'css.properties.',
    allowSelectors: 'css.selectors.',
    allowUnits: 'css.types.',
  };
  return Object.fromEntries(
    Object.entries(prefixes).map(([option, prefix]) => [
      option,
      schema[option]!.items!.enum.filter((name) =>
        [...byKey].some(([key, has]) => has && key.startsWith(prefix) && key.endsWith(`.${name}`)),
      ),
    ]),
  );
}

const sheets = new Map<string, string>();
const scripts = new Map<string, string>();
for (const file of files) {
  if (file.endsWith('.css')) sheets.set(read(file).toString(), file);
  if (file.endsWith('.js')) scripts.set(read(file).toString(), file);
  if (!file.endsWith('.html')) continue;
  const $ = load(read(file).toString());
  for (const style of $('style')) sheets.set($(style).text(), file);
  for (const script of $('script:not([src], [type*=json], [type=speculationrules])'))
    scripts.set($(script).text(), file);
}

/** Checks texts with a linter. @returns each different problem once, with the name of one file that has the problem. */
function problemsOf(texts: Map<string, string>, config: Linter.Config, name: string): string[] {
  const linter = new Linter();
  const problems = new Map<string, string>();
  for (const [text, file] of texts) {
    for (const { message } of linter.verify(text, { files: ['**/*.*'], ...config }, name)) {
      problems.set(message.replace(/ (?:is not a \d+ available|became Baseline|has Limited).*/, ''), file);
    }
  }
  return [...problems].map(([problem, file]) => `${problem} (${file})`).toSorted();
}

const isDocumented = (problem: string) =>
  documented.some((name) => problem.includes(`'${name}'`) || problem.includes(`(${name})`));

test('The styles of every page work in the oldest supported browsers, or are documented as an enhancement', () => {
  expect(sheets.size).toBeGreaterThan(10);
  const rule = css.rules['use-baseline'];
  const schema = rule.meta.schema[0]!.properties as unknown as Schema;
  const found = problemsOf(
    sheets,
    {
      plugins: { css },
      language: 'css/css',
      // The rule accepts a year, not browser versions. So the options are an early year, and all later features that
      // the supported versions have.
      rules: { 'css/use-baseline': ['error', { available: 2020, ...allowed(schema) }] },
    },
    'page.css',
  );
  expect(found.filter((problem) => !isDocumented(problem))).toEqual([]);
});

test(
  'Every script works in the oldest supported browsers, or is documented as an enhancement',
  { timeout: 120_000 },
  () => {
    expect(scripts.size).toBeGreaterThan(10);
    const supported = [...byId].filter(([, has]) => has).map(([id]) => id);
    const preset = { preset: 'auto' };
    const found = problemsOf(
      scripts,
      {
        plugins: { 'baseline-js': { rules: baselineJs.rules } },
        linterOptions: { noInlineConfig: true },
        rules: {
          'baseline-js/use-baseline': [
            'error',
            { available: 2020, ignoreFeatures: supported, includeWebApis: preset, includeJsBuiltins: preset },
          ],
        },
      },
      'page.js',
    );
    expect(found.filter((problem) => !isDocumented(problem))).toEqual([]);
  },
);

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
  const found = [...sheets].flatMap(([text, file]) => {
    const defined = new Set([...text.matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name));
    const used = new Set([...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
    return [...used].filter((name) => !defined.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});
