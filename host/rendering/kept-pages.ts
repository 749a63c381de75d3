import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A rendered page or file. */
export interface Page {
  readonly body: Buffer;
  /** The page's Content-Security-Policy; empty for a file that is not a page. */
  readonly policy: string;
}

/** A cache of rendered pages from earlier builds, by the values that determine each page. */
export interface KeptPages {
  /**
   * Writes a page to `file`. Uses the cached page with the same `parts` or, if there is none, renders and caches the
   * page.
   * @param parts the values that determine the page.
   * @returns the page's Content-Security-Policy.
   */
  write(file: string, parts: readonly string[], make: () => Promise<Page>): Promise<string>;
  /** Records the pages that this build wrote, and deletes all other cached pages. */
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
    async write(file, parts, make) {
      const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
      const kept = join(folder, name);
      let policy = known.get(name);
      if (policy === undefined) {
        const page = await make();
        ({ policy } = page);
        await writeFile(kept, page.body);
      }
      used.set(name, policy);
      await rm(file, { force: true });
      // Uses a hard link if both paths are on one disk, so the cache takes no additional space.
      await link(kept, file).catch(() => copyFile(kept, file));
      return policy;
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
