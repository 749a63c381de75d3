import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkContent, type Finding } from '../../scripts/check-content.ts';

const run = promisify(execFile);
const guide = 'content/articles/project-recovery.mdx';

/** A copy of the files that editors change, in which the tests make mistakes. */
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

/** Returns only the mistakes that a test made, without mistakes that the content already had. */
async function newFindings(): Promise<Finding[]> {
  const known = before.map(({ text }) => text);
  return (await checkContent(root)).filter(({ text }) => !known.includes(text));
}

const newArticle = (title: string) => run(process.execPath, ['scripts/new-article.ts', title, root]);

test('a new article is a draft that passes every check, and is never overwritten', async () => {
  const { stdout } = await newArticle('Period close: what to finish first');
  expect(stdout).toContain('Created the draft content/articles/period-close-what-to-finish-first.mdx');
  const file = join(root, 'content/articles/period-close-what-to-finish-first.mdx');
  expect(await newFindings()).toEqual([]);
  await writeFile(file, 'mine');
  await expect(newArticle('Period close: what to finish first')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already exists and was not changed'),
  });
  expect(await readFile(file, 'utf8')).toBe('mine');
  await rm(file);
});

test('a title that gives no file name is refused with an example', async () => {
  await expect(newArticle('')).rejects.toMatchObject({ stderr: expect.stringContaining('npm run new:article "') });
});

test('each mistake is reported with its file, line and correction', async () => {
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
    .concat(
      '\nNobody keeps the rota, and it lasts 5-9 weeks at once.\n\nA recieved order ![](/uploads/x.png) at [a page](/resources/none) and [a place](/#nowhere).\n',
    );
  await writeFile(path, mistaken);
  const last = mistaken.split('\n').length - 1;
  const found = await newFindings();
  await writeFile(path, sound);
  expect(found.every(({ file }) => file === guide || file === 'content/articles/suitescript-guide.mdx')).toBe(true);
  const texts = found.map(({ line, text }) => `${line} ${text}`);
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^\d+ title is the same as in content\/articles\/project-recovery\.mdx\. Write what is different/,
      ),
      expect.stringMatching(/^1 frontmatter: Unknown: auther\./),
      `${last - 2} 'Nobody' is on the list of words to avoid. Write no one.`,
      `${last - 2} 'rota' is on the list of words to avoid. Write schedule.`,
      `${last - 2} '5-9': Write an en dash (–) in a range.`,
      `${last - 2} 'at once': Write 'immediately', or 'at the same time'.`,
      expect.stringMatching(new RegExp(`^${last} 'recieved' is not in the dictionary\\. Write received`)),
      expect.stringMatching(new RegExp(`^${last} The picture !\\[\\]\\(/uploads/x\\.png\\) has no alternative text`)),
      expect.stringMatching(new RegExp(`^${last} The link /resources/none does not lead to a page`)),
      expect.stringMatching(new RegExp(`^${last} The link /#nowhere does not lead to a section of /\\.`)),
    ]),
  );
  await writeFile(path, sound.replace(/^minutes: 12$/m, 'minutes: 20'));
  const [late, ...others] = await newFindings();
  await writeFile(path, sound);
  expect(others).toEqual([]);
  expect(late).toMatchObject({ file: guide, line: lineOf('minutes:') });
  expect(late!.text).toMatch(
    /^The article states 20 min, but its \d+ words take \d+\.\d at 220 a minute\. Please set minutes to 12/,
  );
});

test('the texts of pages are checked too, and the code in them is not', async () => {
  const file = 'src/sections/Services.astro';
  const path = join(root, file);
  const sound = await readFile(path, 'utf8');
  const heading = /<h2[^>]*>/.exec(sound)![0];
  const line = sound.slice(0, sound.indexOf(heading)).split('\n').length;
  await writeFile(
    path,
    sound.replace(
      heading,
      `${heading} {false && 'Nobody is here at once'} <i class="anew" title="A recieved mail"></i>`,
    ),
  );
  const found = await newFindings();
  await writeFile(path, sound);
  expect(found.map((finding) => ({ ...finding, text: finding.text.split(/ is | in |: /)[0] }))).toEqual(
    ["'at once'", "'Nobody'", "'recieved'", "'mail'"].map((text) => ({ file, line, text })),
  );
});
