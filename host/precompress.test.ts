import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { precompress } from './precompress.ts';

const page = `<!doctype html><p>${'A ledger balances. '.repeat(200)}</p>`;
let folder: string;
let dist: string;
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precompress-'));
  dist = join(folder, 'dist');
  cache = join(folder, 'cache');
  await mkdir(join(dist, '_astro'), { recursive: true });
  await writeFile(join(dist, 'index.html'), page);
  await writeFile(join(dist, '_astro/_page.abc.css'), 'a{color:red}'.repeat(100));
  await writeFile(join(dist, 'tiny.txt'), 'too small to gain');
  await writeFile(join(dist, 'photo.png'), Buffer.alloc(4096));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('text gets compressed files with the same content; small files and pictures get none', async () => {
  expect(await precompress(dist, cache)).toEqual({ files: 2, compressed: 2 });
  expect(brotliDecompressSync(await readFile(join(dist, 'index.html.br'))).toString()).toBe(page);
  expect(gunzipSync(await readFile(join(dist, 'index.html.gz'))).toString()).toBe(page);
  expect((await readdir(dist)).sort()).toEqual([
    ...['_astro', 'index.html', 'index.html.br', 'index.html.gz', 'photo.png', 'tiny.txt'],
  ]);
});

test('after another build, only changed files are compressed again, and entries of removed files are deleted', async () => {
  await precompress(dist, cache);
  await rm(join(dist, '_astro'), { recursive: true });
  await writeFile(join(dist, 'contact.html'), `${page} Contact.`);
  await rm(join(dist, 'index.html.br'));
  expect(await precompress(dist, cache)).toEqual({ files: 2, compressed: 1 });
  expect(brotliDecompressSync(await readFile(join(dist, 'index.html.br'))).toString()).toBe(page);
  expect(await readdir(cache)).toHaveLength(4);
});

test('a file that does not become smaller gets no compressed file', async () => {
  await writeFile(
    join(dist, 'noise.wasm'),
    gzipSync(Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * n) % 251))),
  );
  await precompress(dist, cache);
  expect(await readdir(dist)).not.toContain('noise.wasm.br');
});
