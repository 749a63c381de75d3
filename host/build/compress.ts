import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

type Bytes = Buffer<ArrayBuffer>;

const compressible = new Set(['.html', '.css', '.js', '.json', '.xml', '.txt', '.svg', '.webmanifest', '.ico']);
/** Files below this number of bytes are not compressed, because they fit into one network packet. */
const leastBytes = 512;

/** Returns the compressed forms of a file that are smaller than the file. Brotli's default quality is its highest. */
export async function compress(bytes: Bytes): Promise<{ br?: Bytes; gzip?: Bytes }> {
  if (bytes.length < leastBytes) return {};
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes, { level: 9 })]);
  return { ...(br.length < bytes.length && { br }), ...(gz.length < bytes.length && { gzip: gz }) };
}

/** Adds a `.br` and a `.gz` file next to every file of the built site that compression makes smaller. */
export async function compressFiles(dist: string): Promise<void> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  // node:zlib compresses four files at a time, in its own threads.
  await Promise.all(
    files.map(async (file) => {
      const { br, gzip: gz } = await compress(await readFile(file));
      if (br) await writeFile(`${file}.br`, br);
      if (gz) await writeFile(`${file}.gz`, gz);
    }),
  );
}
