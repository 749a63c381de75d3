import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeptPages, type Page } from './kept-pages.ts';

let root: string;
let folder: string;
let file: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pages-'));
  folder = join(root, 'kept');
  file = join(root, 'page.html');
});
afterEach(() => rm(root, { recursive: true }));

const page =
  (body: string, policy = '') =>
  (): Promise<Page> =>
    Promise.resolve({ body: Buffer.from(body), policy });
const never = () => Promise.reject(new Error('made again'));

/** Writes one page as a build does. @returns the policy and the written content. */
async function build(parts: readonly string[], make: () => Promise<Page>) {
  const pages = await openKeptPages(folder);
  const policy = await pages.write(file, parts, make);
  await pages.close();
  return { policy, body: await readFile(file, 'utf8') };
}

test('A page is rendered once, and a later build reuses its bytes and its policy', async () => {
  const made = await build(['code', '/a'], page('<p>Words</p>', "script-src 'self'"));
  expect(made).toEqual({ policy: "script-src 'self'", body: '<p>Words</p>' });
  expect(await build(['code', '/a'], never)).toEqual(made);
});

test.each([[['changed', '2026', '/a']], [['code', '2027', '/a']], [['code', '2026', '/b']], [['code2026', '/a']]])(
  'A page is rendered again for %j',
  async (parts) => {
    await build(['code', '2026', '/a'], page('old'));
    expect((await build(parts, page('new'))).body).toBe('new');
  },
);

test('The folder contains the pages of one build, regardless of the number of builds', async () => {
  for (let number = 1; number <= 5; number += 1) {
    const pages = await openKeptPages(folder);
    for (let path = 1; path <= 20; path += 1) await pages.write(file, [`${number}`, `${path}`], page('x'));
    await pages.close();
    expect(await readdir(folder)).toHaveLength(20 + 1);
  }
});

test('Files of an interrupted build are never used as pages, and are removed', async () => {
  const interrupted = await openKeptPages(folder);
  await interrupted.write(file, ['a'], page('whole'));
  const [name] = await readdir(folder);
  await writeFile(join(folder, name!), 'wh');
  expect((await build(['a'], page('whole'))).body).toBe('whole');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'policies.json.part'), '{');
  await build(['a'], never);
  expect(await readdir(folder)).toHaveLength(1 + 1);
});

test('A page that fails to render is not kept', async () => {
  const pages = await openKeptPages(folder);
  await expect(pages.write(file, ['a'], never)).rejects.toThrow('made again');
  await pages.close();
  expect((await build(['a'], page('now'))).body).toBe('now');
});
