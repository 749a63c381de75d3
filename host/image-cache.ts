import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const mostBytes = 256 * 1024 * 1024;

/**
 * Caches resized images on the disk. Beyond 256 MB, deletes the images that were not requested for the longest time.
 */
export interface ImageCache {
  get(key: string): Promise<Uint8Array<ArrayBuffer> | null>;
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** @param folder is created if it does not exist. Files whose names are not keys of this cache are left unchanged. */
export async function imageCache(folder: string, limit = mostBytes): Promise<ImageCache> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  /** File sizes in bytes, by key. The least recently requested file is first. */
  const sizes = new Map<string, number>();
  let total = 0;
  const found = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const described = await Promise.all(found.map(async (name) => ({ name, ...(await stat(join(folder, name))) })));
  for (const { name, size } of described.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
    sizes.set(name, size);
    total += size;
  }

  const forget = async (key: string): Promise<void> => {
    total -= sizes.get(key) ?? 0;
    sizes.delete(key);
    await rm(join(folder, key), { force: true });
  };

  return {
    async get(key) {
      const size = sizes.get(key);
      if (size === undefined) return null;
      sizes.delete(key);
      sizes.set(key, size);
      try {
        return new Uint8Array(await readFile(join(folder, key)));
      } catch {
        // The file is missing because someone emptied the folder.
        await forget(key);
        return null;
      }
    },

    async put(key, bytes) {
      const unfinished = join(folder, `.${randomUUID()}`);
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, join(folder, key));
      total += bytes.byteLength - (sizes.get(key) ?? 0);
      sizes.set(key, bytes.byteLength);
      for (const oldest of sizes.keys()) {
        if (total <= limit) return;
        await forget(oldest);
      }
    },
  };
}
