import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
const files = listed.split('\n').filter((file) => file !== '' && existsSync(file));

/** The names by which a comment can refer to a file: its path, or the end of its path. */
const names = new Set(
  files.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, index) => parts.slice(index).join('/'));
  }),
);

/** Files that an owner, a build or a test generates. */
const made =
  /^(dist|release|\.netlify|\.cache)\/|^(site|erasures|response|manifest|bundle)\.json$|^(licenses\.md|(?:ssr|entry|pages)\.mjs|sbom\.cdx\.json|bench\/NAME\.ts)$/;

const commentPattern = /\/\*[\s\S]*?\*\/|(?<![:\w'"`\\])\/\/.*|<!--[\s\S]*?-->|^\s*# .*/gm;
const namePattern =
  /(?<![\w./@*{}$\]-])(?:\.{1,2}\/)*((?:[\w.[\]-]+\/)*[\w[\]][\w.[\]-]*\.(?:ts|tsx|astro|mjs|css|mdx?|toml|json|yml|c))(?![\w-]|\.\w)/g;
/** Phrases that refer to documents outside the repository, or to issues and reviews, which a reader cannot open. */
const elsewhere =
  /\bspec(?:ification)?,? §|§ ?\d|\b(?:issue|review|finding) \d|\bdecisions?, '|\bspec\.md|\bthe decisions\b/;

interface Text {
  readonly file: string;
  readonly text: string;
}

const documents = files
  .filter((file) => file.endsWith('.md'))
  // The tasks of CONTRIBUTING name example files that do not exist.
  .map((file) => ({ file, text: readFileSync(file, 'utf8').split('\n## Tasks')[0] ?? '' }));
const comments = files
  .filter((file) => /\.(ts|tsx|mjs|js|astro|css|c|toml|yml)$|^\.env\.example$/.test(file))
  .map((file) => ({ file, text: (readFileSync(file, 'utf8').match(commentPattern) ?? []).join('\n') }));

const missingFiles = ({ file, text }: Text) =>
  [...text.matchAll(namePattern)]
    .map(([, name = '']) => name.replace(/^\[(?!\w+\])/, ''))
    .filter((name) => !names.has(name) && !made.test(name))
    .map((name) => `${file} names ${name}`);

/** Returns the anchors that GitHub generates for the headings of a document. */
function anchorsOf(file: string): Set<string> {
  const headings = existsSync(file) ? (readFileSync(file, 'utf8').match(/^#+ .*/gm) ?? []) : [];
  const anchor = (heading: string) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-');
  return new Set(headings.map(anchor));
}

const missingHeadings = ({ file, text }: Text, cited: (text: string) => { target: string; anchor: string }[]) =>
  cited(text)
    .filter(({ target, anchor }) => !anchorsOf(target).has(anchor))
    .map(({ target, anchor }) => `${file} cites ${target}#${anchor}`);

const citedInComments = (text: string) =>
  [...text.matchAll(/(docs\/[\w/-]+\.md)#([\w-]+)/g)].map(([, target = '', anchor = '']) => ({ target, anchor }));

describe('A comment refers only to things that a reader can open', () => {
  test('files exist', () => {
    expect(comments.flatMap(missingFiles)).toEqual([]);
  });

  test('headings of documents exist', () => {
    expect(comments.flatMap((comment) => missingHeadings(comment, citedInComments))).toEqual([]);
  });

  test('no comment refers to documents outside the repository', () => {
    expect(comments.filter(({ text }) => elsewhere.test(text)).map(({ file }) => file)).toEqual([]);
  });
});

describe('A document refers only to things that a reader can open', () => {
  test('files exist', () => {
    expect(documents.flatMap(missingFiles)).toEqual([]);
  });

  test('headings exist', () => {
    const problems = documents.flatMap((document) =>
      missingHeadings(document, (text) =>
        [...text.matchAll(/\]\(([\w./-]*?\.md)?#([\w-]+)\)/g)].map(([, target, anchor = '']) => ({
          target: target === undefined ? document.file : normalize(join(dirname(document.file), target)),
          anchor,
        })),
      ),
    );
    expect(problems).toEqual([]);
  });
});

test.for([
  ['// See docs/product.md#no-such-heading', 'cites docs/product.md#no-such-heading'],
  ['// As in lib/no-such-file.ts', 'names lib/no-such-file.ts'],
])('%j is refused', ([text, problem]) => {
  const comment = { file: 'a.ts', text: text! };
  expect([...missingFiles(comment), ...missingHeadings(comment, citedInComments)]).toEqual([`a.ts ${problem}`]);
});
