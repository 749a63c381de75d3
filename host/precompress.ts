import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = new Set([
  ...['.html', '.css', '.js', '.mjs', '.json', '.xml', '.txt', '.svg', '.webmanifest', '.wasm', '.ico'],
]);
/** Smaller files fit in one packet either way. */
const leastBytes = 512;
/** As many as the thread pool of node:zlib works on at once. */
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
 * Puts a `.br` and a `.gz` beside every file of a build that gains by it. A build starts with an empty folder, so what was
 * compressed before is kept under the hash of its content, and only what changed is compressed again.
 * @param dist the built site.
 * @param cache folder for what was compressed; files of earlier builds are removed from it.
 * @returns how many files have siblings, and how many of them had to be compressed now.
 */
export async function precompress(dist: string, cache: string): Promise<{ files: number; compressed: number }> {
  await mkdir(cache, { recursive: true });
  const known = new Set(await readdir(cache));
  const used = new Set<string>();
  let compressed = 0;
  const files = await candidates(dist);

  const work = files.values();
  const worker = async (): Promise<void> => {
    for (const file of work) {
      const bytes = await readFile(file);
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
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
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
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

/** Whole or not at all: an interrupted run leaves nothing that a later one would take for complete. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(unfinished, bytes);
  await rename(unfinished, file);
}

async function place(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  // A link where both are on one disk, so that the cache costs no space.
  await link(from, to).catch(() => copyFile(from, to));
}
