import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { getStore } from '@netlify/blobs';
import { BlobsServer } from '@netlify/blobs/server';
import type { BlobStore, Content, Part } from '../netlify/server/platform.ts';

const origin = 'http://blobs.invalid';

/**
 * Netlify's own local blob store on a folder, called inside the process: its server listens on every interface of the
 * machine, which nobody's resumes should.
 *
 * A write is put beside its place and renamed, so that a crash leaves the old blob or the new one; what a crash left
 * behind is removed here at start. Metadata is a second file, written after the blob. What was confirmed is on the disk: a
 * resume, or an inquiry that waits for the database, outlives a power cut.
 * @param folder is made when it is missing.
 * @returns opens a store by name.
 */
export async function openBlobs(folder: string): Promise<(name: string) => BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeUnfinished(join(folder, 'entries'));
  const token = 'in-process';
  const server = new BlobsServer({ directory: folder, token, logger: () => undefined });
  // All three are private in the package's types. The tests here fail should a new version do without them.
  server['address'] = origin;
  const answer = server['handleRequest'] as (request: Request) => Promise<Response>;
  const pathsOf = server['getLocalPaths'] as (url: URL) => { dataPath?: string; key?: string; metadataPath?: string };
  const handle = async (request: Request): Promise<Response> => {
    const response = await answer.call(server, request);
    // The client would try a fault of the server again five times, five seconds apart, while a visitor waits. A full disk
    // does not go away by that.
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

/** Bytes of a file that wait in memory for a slow reader. */
const chunkBytes = 64 * 1024;

/** A file, or a part of it: as a stream that reads the disk as fast as its reader takes it, unless one chunk is all. */
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
  const read = createReadStream(path, { ...part, fd: file, highWaterMark: chunkBytes });
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 1 });
  return Readable.toWeb(read, { strategy }) as ReadableStream<Uint8Array>;
}

/** Waits until a file and its name are on the disk; a file that is not there needs nothing. */
async function sync(path: string): Promise<void> {
  const syncOne = async (one: string): Promise<void> => {
    const file = await open(one, 'r').catch(() => null);
    try {
      await file?.sync();
    } finally {
      await file?.close();
    }
  };
  // At the same time: a slow disk takes seconds for each, and a visitor waits.
  await Promise.all([path, dirname(path)].map(syncOne));
}

/** Half-written blobs: a dot and random letters, which no store of this site uses as a key. */
const unfinished = /^\.[0-9a-z]{6,13}$/;

/** A list, without what is being written, or could not be because the disk was full. */
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
