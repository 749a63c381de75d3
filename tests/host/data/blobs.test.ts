import { readdir, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getStore } from '@netlify/blobs';
import { BlobsServer } from '@netlify/blobs/server';
import { expect, test } from 'vitest';
import { openBlobs, storeIn } from '../../../host/data/blobs.ts';
import { openPlatform } from '../../../host/data/platform.ts';
import { readEnv } from '../../../netlify/server/env.ts';
import { folder, makeFolders } from '../../support/host/folder.ts';

makeFolders();

test('the start of a site removes files that a crash left incomplete, and a command leaves those of a running site', async () => {
  const env = readEnv({ DATA_DIR: folder });
  const store = (await openPlatform(env)).openBlobStore('spool');
  await store.set('a/whole', 'whole');
  const left = storeIn(join(folder, 'blobs'), 'spool');
  await writeFile(join(left, 'a/.k3j5h2k3j5h'), 'half');
  await openPlatform(env);
  expect((await readdir(join(left, 'a'))).sort()).toEqual(['.k3j5h2k3j5h', 'whole']);
  expect((await store.list()).blobs.map(({ key }) => key)).toEqual(['a/whole']);
  await openPlatform(env, { inspect: true });
  expect(await readdir(join(left, 'a'))).toEqual(['whole']);
});

test('an empty file, which a power failure can leave of an unconfirmed blob, counts as missing', async () => {
  const store = (await openBlobs(folder))('spool');
  await store.setJSON('inquiries/1', {});
  await truncate(join(folder, 'entries/host/site:spool/inquiries/1'));
  expect(await store.get('inquiries/1', { type: 'json' })).toBeNull();
  expect(await store.set('inquiries/1', 'again', { onlyIfNew: true })).toMatchObject({ modified: true });
  expect(await store.get('inquiries/1')).toBe('again');
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
