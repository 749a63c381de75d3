import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readArticleFiles } from './article-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'articles-'));
});
afterEach(() => rm(folder, { recursive: true }));

const guide = await readFile('content/articles/netsuite-roi-guide.mdx', 'utf8');
const write = (name: string, text: string) => writeFile(join(folder, name), text);

test('An article gets its name from its file, its fields from the frontmatter, and its text', async () => {
  await write('roi.mdx', guide);
  await write('picture.png', '');
  const [article, ...others] = await readArticleFiles(folder);
  expect(others).toEqual([]);
  expect(article).toMatchObject({ id: 'roi', file: `${folder}/roi.mdx`, data: { minutes: 12, draft: false } });
  expect(article!.body).toMatch(/^This guide is for the CFO/);
});

test('An article written on Windows gives the same result', async () => {
  await write('roi.mdx', guide.replaceAll('\n', '\r\n'));
  const [article] = await readArticleFiles(folder);
  expect(article!.data.minutes).toBe(12);
  expect(article!.body).toMatch(/^This guide is for the CFO/);
});

test('An invalid field is reported with its file and a correction', async () => {
  await write('roi.mdx', guide.replace(/^category: .*$/m, 'category: Payroll'));
  await expect(readArticleFiles(folder)).rejects.toThrow(
    /roi\.mdx cannot be published:\n {2}- category: Please choose/,
  );
});

test('Frontmatter that is missing or not valid YAML is reported with the name of its file', async () => {
  await write('roi.mdx', guide.replace(/^title: .*$/m, 'title: [never'));
  await expect(readArticleFiles(folder)).rejects.toThrow(/roi\.mdx: .*\(2:1\)/s);
  await write('roi.mdx', 'Only words.');
  await expect(readArticleFiles(folder)).rejects.toThrow(/roi\.mdx cannot be published:/);
});
