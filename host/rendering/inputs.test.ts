import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashOfBuild, hashOfBundle } from './inputs.ts';

let root: string;
let build: string;
let bundle: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'inputs-'));
  for (const part of ['src', 'content', 'netlify', 'host', 'package.json', 'package-lock.json', 'astro.config.mjs']) {
    await cp(part, join(root, part), { recursive: true });
  }
});
beforeEach(async () => {
  build = await hashOfBuild(root, {});
  bundle = await hashOfBundle(root, {});
});
afterAll(() => rm(root, { recursive: true }));

async function change(file: string): Promise<void> {
  await mkdir(join(root, file, '..'), { recursive: true });
  await writeFile(join(root, file), 'changed', { flag: 'a' });
}

test.each([
  'src/components/prose/Callout.astro',
  'src/styles/prose.css',
  'src/data/articles.ts',
  'netlify/server/http/own-page.ts',
  'host/rendering/render-files.ts',
  'host/supported-browsers.ts',
  'astro.config.mjs',
  'package-lock.json',
  'site.json',
  'content/services/support.json',
  'content/sections/home.json',
  'content/legal/terms.mdx',
  'content/articles/picture.png',
  'public/file.txt',
])('A change of %s creates a new bundle', async (file) => {
  await change(file);
  expect(await hashOfBundle(root, {})).not.toBe(bundle);
  expect(await hashOfBuild(root, {})).not.toBe(build);
});

test.each([{ SITE_URL: 'https://example.com' }, { DEPLOY_ID: 'second' }, { CONTEXT: 'production' }])(
  'A change of %j creates a new bundle',
  async (variables) => {
    expect(await hashOfBundle(root, variables)).not.toBe(bundle);
  },
);

test('A different folder creates a new bundle, because the code contains paths', async () => {
  const other = await mkdtemp(join(tmpdir(), 'inputs-'));
  await cp(root, other, { recursive: true });
  expect(await hashOfBundle(other, {})).not.toBe(bundle);
  await rm(other, { recursive: true });
});

test('A change in an article needs a new build with the same bundle', async () => {
  await change('content/articles/suitescript-guide.mdx');
  expect(await hashOfBuild(root, {})).not.toBe(build);
  expect(await hashOfBundle(root, {})).toBe(bundle);
});

test('A change in a test needs neither a new bundle nor a new build', async () => {
  await change('src/data/articles.test.ts');
  expect(await hashOfBuild(root, {})).toBe(build);
});
