import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A page of the cache. */
interface KeptPage {
  /** The file in the cache. The caller writes it if `policy` is undefined. */
  readonly file: string;
  /** The page's Content-Security-Policy (empty for a file that is not a page), or undefined if the page is not cached. */
  readonly policy: string | undefined;
  /** Copies the file of the cache to `path`, and records that this build uses the page. */
  copyTo(path: string, policy: string): Promise<void>;
}

/** A cache of rendered pages from earlier builds, by the values that determine each page. */
export interface KeptPages {
  /** @param parts the values that determine the page. */
  page(parts: readonly string[]): KeptPage;
  /** Records the pages that this build copied, and deletes all other cached pages. */
  close(): Promise<void>;
}

/** The Content-Security-Policies of the cached pages. A page that this file does not list may be incomplete. */
const index = 'policies.json';

export async function openKeptPages(folder: string): Promise<KeptPages> {
  await mkdir(folder, { recursive: true });
  const text = await readFile(join(folder, index), 'utf8').catch(() => '{}');
  const known = new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  const used = new Map<string, string>();
  return {
    page(parts) {
      const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
      const file = join(folder, name);
      return {
        file,
        policy: known.get(name),
        async copyTo(path, policy) {
          // Uses a hard link if both paths are on one disk, so the cache takes no additional space.
          await link(file, path).catch(() => copyFile(file, path));
          used.set(name, policy);
        },
      };
    },
    async close() {
      await writeFile(join(folder, `${index}.part`), JSON.stringify(Object.fromEntries(used)));
      await rename(join(folder, `${index}.part`), join(folder, index));
      const names = await readdir(folder);
      await Promise.all(
        names.filter((name) => name !== index && !used.has(name)).map((name) => rm(join(folder, name))),
      );
    },
  };
}
