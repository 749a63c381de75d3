import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { access, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { filesIn } from './files-in.ts';
import type { BlobStore } from '../../netlify/server/platform.ts';

/** Matches the names of temporary files of unfinished writes. No store of this site uses such a key. */
const unfinished = /^\.[0-9a-z]{6,13}$/;

/** The parts of Netlify's blob store that this site uses. */
type Used = Pick<BlobStore, 'delete' | 'read' | 'set' | 'setJSON'> & {
  list(options?: { prefix?: string }): Promise<{ blobs: { key: string }[] }>;
  get(key: string, options?: { type?: 'arrayBuffer' | 'json' | 'text' }): Promise<unknown>;
};

/**
 * Opens the blob stores in a folder. Each blob is a file, in the folders that Netlify's local blob server uses. Blobs
 * have no metadata.
 *
 * Writes each blob to a temporary file and renames the file, so a crash leaves either the old or the new blob. A write is
 * confirmed when the data is on the disk, so a confirmed resume or inquiry survives a power failure. Of a blob that was not
 * confirmed, a power failure can leave an empty file, which counts as missing.
 * @param folder is created if it does not exist.
 * @returns a function that opens a store by name.
 */
export async function openBlobs(folder: string): Promise<(name: string) => BlobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return (name) => openStore(folder, storeIn(folder, name)) as unknown as BlobStore;
}

/** Removes the temporary files that a crash left. Only the site may do this: those of another process may be in use. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const file of (await filesIn(join(folder, 'entries'))).filter(isUnfinished)) await rm(file);
}

function openStore(folder: string, root: string): Used {
  const pathOf = (key: string): string => {
    if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(key) || key.split('/').includes('..')) throw new TypeError(`no key: ${key}`);
    return join(root, key);
  };
  const set: Used['set'] = async (key, data, { onlyIfNew = false } = {}) => {
    const path = pathOf(key);
    if (onlyIfNew && (await stat(path).catch(nullIfMissing))?.size) return { modified: false };
    const temporary = join(dirname(path), `.${randomBytes(5).toString('hex')}`);
    // If the folder is missing, for example because its disk is no longer mounted, the write fails and the site status
    // says so. In a new folder, the blob would be apart from all others.
    await access(folder);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeFile(
        temporary,
        data instanceof Blob ? await data.bytes() : typeof data === 'string' ? data : new Uint8Array(data),
      );
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    // Runs in parallel, because a slow disk takes seconds for each sync while a visitor waits.
    await Promise.all([path, dirname(path)].map(sync));
    return { modified: true };
  };
  return {
    set,
    setJSON: (key, value, options) => set(key, JSON.stringify(value), options),
    get: async (key, { type = 'text' } = {}) => {
      const bytes = await readFile(pathOf(key)).catch(nullIfMissing);
      if (!bytes?.length) return null;
      if (type === 'arrayBuffer') return new Uint8Array(bytes).buffer;
      const text = bytes.toString('utf8');
      return type === 'json' ? (JSON.parse(text) as unknown) : text;
    },
    read: async (key, part) => {
      const path = pathOf(key);
      if (!(await stat(path).catch(nullIfMissing))) return null;
      const blob = await openAsBlob(path);
      // The stream reads from the disk at the speed of its reader.
      return (part ? blob.slice(part.start, part.end + 1) : blob).stream();
    },
    list: async ({ prefix = '' } = {}) => {
      const files = (await filesIn(root)).filter((file) => !isUnfinished(file));
      const keys = files
        .map((file) => relative(root, file).replaceAll('\\', '/'))
        .filter((key) => key.startsWith(prefix));
      return { blobs: keys.sort().map((key) => ({ key })) };
    },
    delete: (key) => rm(pathOf(key), { force: true }),
  };
}

const isUnfinished = (file: string): boolean => unfinished.test(basename(file));

/** Returns the folder of a blob store in the folder of all blob stores. */
export const storeIn = (folder: string, name: string): string => join(folder, 'entries/host', `site:${name}`);

/** Waits until a file or a folder is on the disk. Ignores a file that was deleted meanwhile. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r').catch(nullIfMissing);
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'EISDIR') return null;
  throw error;
}
