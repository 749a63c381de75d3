import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BlobStore, Content, Part } from '../../netlify/server/platform/platform.ts';
import { chunkBytes, fileStream } from './file-stream.ts';

const origin = 'http://blobs.invalid';
const methods = ['delete', 'deleteAll', 'get', 'getMetadata', 'getWithMetadata', 'list', 'read', 'set', 'setJSON'];

/**
 * Opens the blob stores in a folder. Uses Netlify's local blob server in this process, without its port: the port would
 * be open on every network interface, and resumes are private.
 *
 * Writes each blob to a temporary file and renames the file, so a crash leaves either the old or the new blob. First
 * removes temporary files that a crash left. Metadata is a second file, written after the blob. A write is confirmed
 * when the data is on the disk, so a confirmed resume or inquiry survives a power failure.
 * @param folder is created if it does not exist.
 * @returns a function that opens a store by name.
 */
export async function openBlobs(folder: string): Promise<(name: string) => BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeUnfinished(join(folder, 'entries'));
  // Netlify's packages have 170 files and would delay the start, so the first call of a store loads them.
  let opened: ReturnType<typeof openServer> | undefined;
  return (name) => {
    const calls = methods.map((method) => [
      method,
      async (...args: unknown[]) => {
        const store = (await (opened ??= openServer(folder)))(name) as unknown as Calls;
        return await store[method]?.(...args);
      },
    ]);
    return Object.fromEntries(calls) as BlobStore;
  };
}

type Calls = Record<string, (...args: unknown[]) => unknown>;

async function openServer(folder: string): Promise<(name: string) => BlobStore> {
  const [{ getStore }, { BlobsServer }] = await Promise.all([
    import('@netlify/blobs'),
    import('@netlify/blobs/server'),
  ]);
  const token = 'in-process';
  const server = new BlobsServer({ directory: folder, token, logger: () => undefined });
  // `address`, `handleRequest` and `getLocalPaths` are private in the package's types. The tests of this file fail if a
  // new version changes them.
  server['address'] = origin;
  const answer = server['handleRequest'] as (request: Request) => Promise<Response>;
  const pathsOf = server['getLocalPaths'] as (url: URL) => { dataPath?: string; key?: string; metadataPath?: string };
  const handle = async (request: Request): Promise<Response> => {
    const response = await answer.call(server, request);
    // The blob client retries a response with a status of 500 or above five times, at intervals of five seconds, while
    // a visitor waits. Retries do not help if the disk is full, so this function returns 422 instead.
    if (response.status >= 500) return new Response(null, { status: 422 });
    const { dataPath, key, metadataPath } = pathsOf.call(server, new URL(request.url));
    if (request.method === 'PUT' && response.ok) {
      await Promise.all([dataPath, metadataPath].filter((path) => path !== undefined).map(sync));
    }
    return request.method === 'GET' && key === '' && response.ok ? await withoutUnfinished(response) : response;
  };

  return (name) => {
    const store = getStore({
      name,
      siteID: 'host',
      token,
      edgeURL: origin,
      uncachedEdgeURL: origin,
      fetch: (input, init) => handle(new Request(input, init)),
    });
    const read = async (key: string, part?: Part): Promise<Content | null> => {
      const { dataPath } = pathsOf.call(server, new URL(`${origin}/host/site:${name}/${key}`));
      return dataPath === undefined ? null : await readFromDisk(dataPath, part);
    };
    return Object.assign(store, { read });
  };
}

/**
 * Reads a file or a part of it. Returns a part of at most {@link chunkBytes} as bytes. Returns a larger part or a whole
 * file as a stream, which reads from the disk only as fast as its consumer.
 */
async function readFromDisk(path: string, part?: Part): Promise<Content | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return null;
  if (part && part.end - part.start < chunkBytes) {
    try {
      const chunk = new Uint8Array(part.end - part.start + 1);
      const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, part.start);
      return chunk.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
  return fileStream(file, part);
}

/** Waits until a file and its folder entry are on the disk. Ignores a missing file. */
async function sync(path: string): Promise<void> {
  const syncOne = async (one: string): Promise<void> => {
    const file = await open(one, 'r').catch(() => null);
    try {
      await file?.sync();
    } finally {
      await file?.close();
    }
  };
  // Runs in parallel, because a slow disk takes seconds for each sync while a visitor waits.
  await Promise.all([path, dirname(path)].map(syncOne));
}

/**
 * Matches the names of temporary files of unfinished writes: a dot, and random letters and digits. No store of this
 * site uses such a key.
 */
const unfinished = /^\.[0-9a-z]{6,13}$/;

/** Removes temporary files of unfinished or failed writes from a list of blobs. */
async function withoutUnfinished(list: Response): Promise<Response> {
  const { blobs, ...rest } = (await list.json()) as { blobs: { key: string }[] };
  return Response.json({ ...rest, blobs: blobs.filter(({ key }) => !unfinished.test(basename(key))) });
}

async function removeUnfinished(entries: string): Promise<void> {
  const found = await readdir(entries, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    if (entry.isFile() && unfinished.test(entry.name)) await rm(join(entry.parentPath, entry.name));
  }
}
