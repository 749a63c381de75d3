import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getStore } from '@netlify/blobs';
import { BlobsServer } from '@netlify/blobs/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobs } from '../../host/data/blobs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('text, JSON and bytes are read as they were stored', async () => {
  const store = (await openBlobs(folder))('uploads');
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  await store.set('a/b/file.bin', bytes.buffer);
  await store.set('blob', new Blob([bytes]));
  await store.setJSON('record', { fullName: 'José' });
  await store.set('text', 'one');

  for (const key of ['a/b/file.bin', 'blob']) {
    expect(new Uint8Array(await store.get(key, { type: 'arrayBuffer' }))).toEqual(bytes);
  }
  expect(await store.get('record', { type: 'json' })).toEqual({ fullName: 'José' });
  expect(await store.get('text')).toBe('one');
  expect(await store.get('none')).toBeNull();
});

test('keys with slashes are listed by prefix', async () => {
  const store = (await openBlobs(folder))('uploads');
  for (const key of ['u1/1', 'u1/2', 'u2/1', 'top']) await store.set(key, key);
  const keys = async (prefix?: string) =>
    (await store.list(prefix ? { prefix } : {})).blobs.map(({ key }) => key).sort();
  expect(await keys()).toEqual(['top', 'u1/1', 'u1/2', 'u2/1']);
  expect(await keys('u1/')).toEqual(['u1/1', 'u1/2']);
  await store.delete('u1/1');
  expect(await keys('u1/')).toEqual(['u1/2']);
  await store.delete('u1/1');
});

test('a blob can be read in parts or as a stream, and a missing blob is null', async () => {
  const store = (await openBlobs(folder))('media');
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
  await store.set('file', bytes.buffer);
  const read = async (part?: { start: number; end: number }) => {
    const content = await store.read?.('file', part);
    return content && new Uint8Array(await new Response(content).arrayBuffer());
  };
  expect(await read()).toEqual(bytes);
  for (const [start, end] of [
    [0, 0],
    [10, 20],
    [299_990, 299_999],
    [5, 200_000],
  ] as const) {
    expect(await read({ start, end })).toEqual(bytes.slice(start, end + 1));
  }
  expect(await store.read?.('none')).toBeNull();
  const left = await store.read?.('file');
  await (left as ReadableStream).cancel();
});

test('stores are separate, and blobs survive the process', async () => {
  const open = await openBlobs(folder);
  await open('spool').set('key', 'spooled');
  expect(await open('uploads').get('key')).toBeNull();
  expect(await (await openBlobs(folder))('spool').get('key')).toBe('spooled');
});

test('with the option, a key is written only if it does not exist', async () => {
  const store = (await openBlobs(folder))('spool');
  expect(await store.set('key', 'first', { onlyIfNew: true })).toMatchObject({ modified: true });
  expect(await store.set('key', 'second', { onlyIfNew: true })).toMatchObject({ modified: false });
  expect(await store.get('key')).toBe('first');
});

test('a start removes files that a crash left incomplete', async () => {
  const store = (await openBlobs(folder))('spool');
  await store.set('a/whole', 'whole');
  const [site = ''] = await readdir(join(folder, 'entries'));
  const [name = ''] = await readdir(join(folder, 'entries', site));
  await mkdir(join(folder, 'entries', site, name, 'a'), { recursive: true });
  await writeFile(join(folder, 'entries', site, name, 'a', '.k3j5h2k3j5h'), 'half');
  const again = (await openBlobs(folder))('spool');
  expect((await again.list()).blobs.map(({ key }) => key)).toEqual(['a/whole']);
});

test('if the disk refuses a write, the write fails and leaves no file', async () => {
  const store = (await openBlobs(folder))('spool');
  await store.set('a', 'is a file where the next key needs a folder');
  await expect(store.set('a/b', 'text')).rejects.toThrow();
  expect((await store.list()).blobs.map(({ key }) => key)).toEqual(['a']);
});

test('a key that leaves the folder of the store is refused', async () => {
  const store = (await openBlobs(folder))('spool');
  for (const key of ['../other/key', '/etc/passwd', 'a/../../b', '']) {
    await expect((async () => await store.set(key, 'text'))(), key).rejects.toThrow();
  }
});

test("blobs that Netlify's local server stored for an earlier version are read", async () => {
  const directory = folder;
  const server = new BlobsServer({ directory, token: 'token', logger: () => undefined });
  const { port } = await server.start();
  const edgeURL = `http://127.0.0.1:${port}`;
  const earlier = getStore({ name: 'resumes', edgeURL, uncachedEdgeURL: edgeURL, token: 'token', siteID: 'host' });
  await earlier.set('applications/one', 'The resume');
  await server.stop();
  const store = (await openBlobs(folder))('resumes');
  expect(await store.get('applications/one')).toBe('The resume');
  expect((await store.list()).blobs.map(({ key }) => key)).toEqual(['applications/one']);
});

test('a folder that is moved away while the site runs refuses new files, until the folder is back', async () => {
  const blobs = join(folder, 'blobs');
  const store = (await openBlobs(blobs))('resumes');
  await store.set('before', 'Before');
  await rename(blobs, join(folder, 'moved'));
  await expect(store.set('meanwhile', 'Meanwhile')).rejects.toThrow('ENOENT');
  expect(await readdir(folder)).toEqual(['moved']);
  await rename(join(folder, 'moved'), blobs);
  await store.set('after', 'After');
  expect([await store.get('before'), await store.get('after')]).toEqual(['Before', 'After']);
});
