import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { inParallel } from './in-parallel.ts';

const compressible = new Set([
  ...['.html', '.css', '.js', '.mjs', '.json', '.xml', '.txt', '.svg', '.webmanifest', '.wasm', '.ico'],
]);
/** Files below this number of bytes are not compressed, because they fit into one network packet. */
const leastBytes = 512;
/** Number of files that are compressed in parallel: the number of threads that node:zlib uses by default. */
const workers = 4;

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);
export const encoders = {
  '.br': (bytes: Buffer) =>
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  '.gz': (bytes: Buffer) => gz(bytes, { level: 9 }),
};

/**
 * Adds a `.br` and a `.gz` file for every file of the build that compression makes smaller. Caches compressed files by
 * the hash of their content, so only changed files are compressed again.
 * @param dist the folder of the built site.
 * @param cache the folder of cached compressed files. Files of earlier builds are deleted from the cache.
 * @returns the number of files that can be compressed, and the number of files that were compressed in this call.
 */
export async function precompress(dist: string, cache: string): Promise<{ files: number; compressed: number }> {
  await mkdir(cache, { recursive: true });
  const known = new Set(await readdir(cache));
  const used = new Set<string>();
  let compressed = 0;
  const files = await candidates(dist);

  await inParallel(workers, files.values(), async (file) => {
    const bytes = await readFile(file);
    const hash = nameOf(bytes);
    let fresh = false;
    for (const [suffix, encode] of Object.entries(encoders)) {
      const name = hash + suffix;
      const kept = join(cache, name);
      if (!known.has(name) && !used.has(name)) {
        await writeWhole(kept, await encode(bytes));
        fresh = true;
      }
      used.add(name);
      if ((await stat(kept)).size < bytes.length) await place(kept, file + suffix);
    }
    if (fresh) compressed += 1;
  });
  await Promise.all([...known].filter((name) => !used.has(name)).map((name) => rm(join(cache, name))));
  return { files: files.length, compressed };
}

async function candidates(dist: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.has(extname(entry.name))) continue;
    const file = join(entry.parentPath, entry.name);
    if ((await stat(file)).size >= leastBytes) found.push(file);
  }
  return found;
}

/**
 * Returns the compressed form of a file. Reads the form from `cache` if an earlier call has compressed the same bytes.
 * @returns the form, and its name in the cache.
 */
export async function keptForm(
  bytes: Buffer,
  suffix: keyof typeof encoders,
  cache: string,
): Promise<{ form: Buffer<ArrayBuffer>; name: string }> {
  const name = nameOf(bytes) + suffix;
  const kept = await readFile(join(cache, name)).catch(() => null);
  if (kept) return { form: kept, name };
  const form = await encoders[suffix](bytes);
  // The cache only saves time, so a folder that is not writable is not an error.
  await mkdir(cache, { recursive: true })
    .then(() => writeWhole(join(cache, name), form))
    .catch(() => undefined);
  return { form, name };
}

function nameOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

/** Writes to a temporary name first, so an interrupted run leaves no incomplete file. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(unfinished, bytes);
  await rename(unfinished, file);
}

async function place(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  // Uses a hard link if both paths are on one disk, so the cache takes no additional space.
  await link(from, to).catch(() => copyFile(from, to));
}
