import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const compressible = new Set(['.html', '.css', '.js', '.json', '.xml', '.txt', '.svg', '.webmanifest', '.ico']);
/** Files below this number of bytes are not compressed, because they fit into one network packet. */
const leastBytes = 512;

/** The encoders by the suffix of the compressed file. Brotli's default quality is its highest. */
const encoders = {
  '.br': (bytes: Buffer) => promisify(brotliCompress)(bytes),
  '.gz': (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

/** Adds a `.br` and a `.gz` file next to every file of the built site that compression makes smaller. */
export async function compressFiles(dist: string): Promise<void> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  // node:zlib compresses four files at a time, in its own threads.
  await Promise.all(files.map(compressFile));
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < leastBytes) return;
  for (const [suffix, encode] of Object.entries(encoders)) {
    const compressed = await encode(bytes);
    if (compressed.length < bytes.length) await writeFile(file + suffix, compressed);
  }
}
