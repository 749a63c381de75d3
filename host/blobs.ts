import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getStore, type Store } from '@netlify/blobs';
import { BlobsServer } from '@netlify/blobs/server';

const origin = 'http://blobs.invalid';

/**
 * Netlify's own local blob store on a folder, called inside the process: its server listens on every interface of the
 * machine, which nobody's resumes should.
 *
 * A write is put beside its place and renamed, so that a crash leaves the old blob or the new one; what a crash left
 * behind is removed here at start. Metadata is a second file, written after the blob. Nothing is synced to the disk
 * before a write is confirmed: a blob of the last seconds may be lost with the machine's power.
 * @param folder is made when it is missing.
 * @returns opens a store by name.
 */
export async function openBlobs(folder: string): Promise<(name: string) => Store> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeUnfinished(join(folder, 'entries'));
  const token = 'in-process';
  const server = new BlobsServer({ directory: folder, token, logger: () => undefined });
  // Both are private in the package's types. Its tests here fail should a new version do without them.
  server['address'] = origin;
  const handle = (request: Request): Promise<Response> =>
    (server['handleRequest'] as (request: Request) => Promise<Response>).call(server, request);

  return (name) =>
    getStore({
      name,
      siteID: 'host',
      token,
      edgeURL: origin,
      uncachedEdgeURL: origin,
      fetch: (input, init) => handle(new Request(input, init)),
    });
}

/** Half-written blobs: a dot and random letters, which no store of this site uses as a key. */
async function removeUnfinished(entries: string): Promise<void> {
  const found = await readdir(entries, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    if (entry.isFile() && /^\.[0-9a-z]{6,13}$/.test(entry.name)) await rm(join(entry.parentPath, entry.name));
  }
}
