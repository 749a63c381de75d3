import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfBuild, hashOfBundle, ownParts } from './inputs.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'inputs-'));
  for (const part of ownParts) await change(join('host', part));
});
afterAll(() => rm(root, { recursive: true }));

async function change(file: string): Promise<void> {
  await mkdir(join(root, file, '..'), { recursive: true });
  await writeFile(join(root, file), 'changed', { flag: 'a' });
}

test('A change of anything that pages are made of needs a new build', async () => {
  const hashes = [await hashOfBuild(root, {})];
  for (const file of [
    'src/components/prose/Callout.astro',
    'netlify/server/http/own-page.ts',
    'host/rendering/render-files.ts',
    'astro.config.mjs',
    'package-lock.json',
    'site.json',
    'content/services/support.json',
    'content/articles/suitescript-guide.mdx',
    'content/articles/picture.png',
    'public/file.txt',
  ]) {
    await change(file);
    hashes.push(await hashOfBuild(root, {}));
  }
  for (const variables of [{ SITE_URL: 'https://example.com' }, { DEPLOY_ID: 'second' }, { CONTEXT: 'production' }]) {
    hashes.push(await hashOfBuild(root, variables));
  }
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('A change of an article needs no new code, and a change of a test needs no build', async () => {
  const [build, bundle] = [await hashOfBuild(root, {}), await hashOfBundle(root, {})];
  await change('src/data/articles.test.ts');
  expect(await hashOfBuild(root, {})).toBe(build);
  await change('content/articles/suitescript-guide.mdx');
  expect(await hashOfBundle(root, {})).toBe(bundle);
});
