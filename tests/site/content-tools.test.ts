import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkContent, type Finding } from '../../scripts/check-content.ts';

const run = promisify(execFile);
const guide = 'content/articles/project-recovery.mdx';

/** A copy of what editors change, to make mistakes in. */
let root: string;
let before: Finding[];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-'));
  for (const part of ['content', 'cspell.json', 'src/pages', 'src/sections', 'src/components', 'src/islands']) {
    await cp(part, join(root, part), { recursive: true });
  }
  before = await checkContent(root);
}, 60_000);
afterAll(() => rm(root, { recursive: true }));

/** What is found beyond what was there before; `npm run check:content` itself holds that to nothing. */
async function newFindings(): Promise<Finding[]> {
  const known = before.map(({ text }) => text);
  return (await checkContent(root)).filter(({ text }) => !known.includes(text));
}

const newArticle = (title: string) => run(process.execPath, ['scripts/new-article.ts', title, root]);

test('a new article is a draft that passes every check, and is never written over', async () => {
  const { stdout } = await newArticle('Period close: what to finish first');
  expect(stdout).toContain('Made content/articles/period-close-what-to-finish-first.mdx');
  const file = join(root, 'content/articles/period-close-what-to-finish-first.mdx');
  expect(await newFindings()).toEqual([]);
  await writeFile(file, 'mine');
  await expect(newArticle('Period close: what to finish first')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is there already, and was left as it is'),
  });
  expect(await readFile(file, 'utf8')).toBe('mine');
  await rm(file);
});

test('a title that makes no name is refused with an example', async () => {
  await expect(newArticle('')).rejects.toMatchObject({ stderr: expect.stringContaining('npm run new:article "') });
});

test('each mistake is named with its file, its line and its mend', async () => {
  const path = join(root, guide);
  const sound = await readFile(path, 'utf8');
  const lines = sound.split('\n');
  const lineOf = (start: string): number => lines.findIndex((line) => line.startsWith(start)) + 1;
  const title = /^title: '(.*)'$/m.exec(
    await readFile(join(root, 'content/articles/suitescript-guide.mdx'), 'utf8'),
  )?.[1];
  const mistaken = sound
    .replace(/^title: .*$/m, `title: '${title}'`)
    .replace(/^minutes: 12$/m, 'minutes: 20')
    .replace(/^author: firm$/m, 'author: firm\nauther: firm')
    .concat('\nA recieved order ![](/uploads/x.png) at [a page](/resources/none) and [a place](/#nowhere).\n');
  await writeFile(path, mistaken);
  const last = mistaken.split('\n').length - 1;
  const found = await newFindings();
  await writeFile(path, sound);
  expect(found.every(({ file }) => file === guide || file === 'content/articles/suitescript-guide.mdx')).toBe(true);
  const texts = found.map(({ line, text }) => `${line} ${text}`);
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\d+ title: the same as in content\/articles\/project-recovery\.mdx\. Say what sets/),
      expect.stringMatching(/^1 frontmatter: Unknown: auther\./),
      expect.stringMatching(new RegExp(`^${last} 'recieved' is in no dictionary\\. Write received`)),
      expect.stringMatching(new RegExp(`^${last} The picture !\\[\\]\\(/uploads/x\\.png\\) has no alternative text`)),
      expect.stringMatching(new RegExp(`^${last} The link /resources/none leads to no page`)),
      expect.stringMatching(new RegExp(`^${last} The link /#nowhere leads to no section of /\\.`)),
    ]),
  );
  await writeFile(path, sound.replace(/^minutes: 12$/m, 'minutes: 20'));
  const [late, ...others] = await newFindings();
  expect(others).toEqual([]);
  expect(late).toMatchObject({ file: guide, line: lineOf('minutes:') });
  expect(late!.text).toMatch(
    /^The article states 20 min, but its \d+ words take \d+\.\d at 220 a minute\. Please write minutes: 13/,
  );
});
