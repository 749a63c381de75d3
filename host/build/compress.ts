import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { filesIn } from '../data/files-in.ts';

type Bytes = Buffer<ArrayBuffer>;

const compressible = new Set(['.html', '.css', '.js', '.json', '.xml', '.txt', '.svg', '.ico']);

/** Returns the bytes compressed with gzip, or undefined if that does not make them smaller. */
export const gzipped = (bytes: Bytes) => smaller(bytes, promisify(gzip)(bytes, { level: 9 }));

/** As {@link gzipped}, with Brotli at its highest quality, the default. This takes a tenth of a second for a page. */
export const brotlied = (bytes: Bytes) => smaller(bytes, promisify(brotliCompress)(bytes));

async function smaller(bytes: Bytes, compressing: Promise<Bytes>): Promise<Bytes | undefined> {
  const compressed = await compressing;
  return compressed.length < bytes.length ? compressed : undefined;
}

/** Adds a `.br` and a `.gz` file next to every file of the built site that compression makes smaller. */
export async function compressFiles(dist: string): Promise<void> {
  const files = (await filesIn(dist)).filter((file) => compressible.has(extname(file)));
  // node:zlib compresses four files at a time, in its own threads.
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      const [br, gz] = await Promise.all([brotlied(bytes), gzipped(bytes)]);
      if (br) await writeFile(`${file}.br`, br);
      if (gz) await writeFile(`${file}.gz`, gz);
    }),
  );
}
