import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobs } from './blobs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('text, JSON and bytes come back as they were stored, with their metadata', async () => {
  const store = (await openBlobs(folder))('uploads');
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  await store.set('a/b c/ü.bin', bytes.buffer, { metadata: { name: 'resume ü.pdf', size: 70_000 } });
  await store.setJSON('record', { fullName: 'José' });
  await store.set('text', 'one');

  expect(new Uint8Array(await store.get('a/b c/ü.bin', { type: 'arrayBuffer' }))).toEqual(bytes);
  expect((await store.getMetadata('a/b c/ü.bin'))?.metadata).toEqual({ name: 'resume ü.pdf', size: 70_000 });
  expect(await store.get('record', { type: 'json' })).toEqual({ fullName: 'José' });
  expect(await store.get('text')).toBe('one');
  expect(await store.get('none')).toBeNull();
  expect(await store.getMetadata('none')).toBeNull();
});

test('keys with slashes are listed under their beginning', async () => {
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

test('stores are apart, and what is stored outlives the process', async () => {
  const open = await openBlobs(folder);
  await open('spool').set('key', 'spooled');
  expect(await open('uploads').get('key')).toBeNull();
  expect(await (await openBlobs(folder))('spool').get('key')).toBe('spooled');
});

test('a key is taken only once where the caller asks for that', async () => {
  const store = (await openBlobs(folder))('spool');
  expect(await store.set('key', 'first', { onlyIfNew: true })).toMatchObject({ modified: true });
  expect(await store.set('key', 'second', { onlyIfNew: true })).toMatchObject({ modified: false });
  expect(await store.get('key')).toBe('first');
});

test('what a crash left half-written is gone after the next start', async () => {
  const store = (await openBlobs(folder))('spool');
  await store.set('a/whole', 'whole');
  const [site = ''] = await readdir(join(folder, 'entries'));
  const [name = ''] = await readdir(join(folder, 'entries', site));
  await mkdir(join(folder, 'entries', site, name, 'a'), { recursive: true });
  await writeFile(join(folder, 'entries', site, name, 'a', '.k3j5h2k3j5h'), 'half');
  const again = (await openBlobs(folder))('spool');
  expect((await again.list()).blobs.map(({ key }) => key)).toEqual(['a/whole']);
});
