import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeptPages } from './kept-pages.ts';

let root: string;
let folder: string;
let file: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pages-'));
  folder = join(root, 'kept');
  file = join(root, 'page.html');
});
afterEach(() => rm(root, { recursive: true }));

/**
 * Writes one page as a build does.
 * @param body the content of the page if it is not in the cache.
 * @returns the policy and the written content.
 */
async function build(parts: readonly string[], body: string, policy = '') {
  const pages = await openKeptPages(folder);
  const page = pages.page(parts);
  if (page.policy === undefined) await writeFile(page.file, body);
  await rm(file, { force: true });
  await page.copyTo(file, page.policy ?? policy);
  await pages.close();
  return { policy: page.policy ?? policy, body: await readFile(file, 'utf8') };
}

test('A page is rendered once, and a later build reuses its bytes and its policy', async () => {
  const made = await build(['code', '/a'], '<p>Words</p>', "script-src 'self'");
  expect(made).toEqual({ policy: "script-src 'self'", body: '<p>Words</p>' });
  expect(await build(['code', '/a'], 'rendered again', 'other')).toEqual(made);
});

test.each([[['changed', '2026', '/a']], [['code', '2027', '/a']], [['code', '2026', '/b']], [['code2026', '/a']]])(
  'A page is rendered again for %j',
  async (parts) => {
    await build(['code', '2026', '/a'], 'old');
    expect((await build(parts, 'new')).body).toBe('new');
  },
);

test('The folder contains the pages of one build, regardless of the number of builds', async () => {
  for (let number = 1; number <= 5; number += 1) {
    const pages = await openKeptPages(folder);
    for (let path = 1; path <= 20; path += 1) {
      const page = pages.page([`${number}`, `${path}`]);
      await writeFile(page.file, 'x');
      await page.copyTo(join(root, `${number}-${path}`), '');
    }
    await pages.close();
    expect(await readdir(folder)).toHaveLength(20 + 1);
  }
});

test('Files of an interrupted build are never used as pages, and are removed', async () => {
  const interrupted = await openKeptPages(folder);
  const page = interrupted.page(['a']);
  await writeFile(page.file, 'wh');
  await page.copyTo(file, '');
  expect((await build(['a'], 'whole')).body).toBe('whole');
  await writeFile(join(folder, 'policies.json.part'), '{');
  await writeFile(interrupted.page(['b']).file, 'wh');
  await build(['a'], 'rendered again');
  expect(await readdir(folder)).toHaveLength(1 + 1);
});
