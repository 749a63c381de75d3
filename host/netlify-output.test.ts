import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { functionPath, narrowServerFunction } from './netlify-output.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'output-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const part = (content: string, dynamic = false, spread = false) => ({ content, dynamic, spread });

test('routes become the paths of a function', () => {
  expect(functionPath({ segments: [[part('blog')], [part('slug', true)]] })).toBe('/blog/:slug');
  expect(functionPath({ segments: [[part('docs')], [part('...path', true, true)]] })).toBe('/docs/:path*');
  expect(functionPath({ segments: [[part('rss.xml')]] })).toBe('/rss.xml');
});

test('the server function handles only its routes, and is removed if it has none', async () => {
  const functionFolder = pathToFileURL(`${join(folder, 'ssr')}/`);
  await mkdir(functionFolder);
  await writeFile(
    new URL('ssr.mjs', functionFolder),
    "export const config = {\n  path: '/*',\n  preferStatic: true,\n};\n",
  );
  await narrowServerFunction(functionFolder, ['/blog/:slug', '/rss.xml']);
  expect(await readFile(new URL('ssr.mjs', functionFolder), 'utf8')).toContain('path: ["/blog/:slug","/rss.xml"],');
  await expect(narrowServerFunction(functionFolder, ['/blog/:slug'])).rejects.toThrow(/no longer/);
  await narrowServerFunction(functionFolder, []);
  await expect(stat(functionFolder)).rejects.toThrow('ENOENT');
});
