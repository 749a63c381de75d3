import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Rehearsal, rehearsal } from '../../src/domain/site/site-status.ts';
import { databaseName } from '../data/sqlite.ts';
import { countRows, databaseSizeIn, requireSpace, sizeOf, withDatabase, withStaging } from './archive.ts';
import { restore } from '../commands/restore.ts';
import { adviceOn, CommandError } from '../errors.ts';
import type { BackupStore } from './store.ts';

/** Of the free space on the disk of the data, a rehearsal leaves this many bytes to the site. */
const leftFree = 500 * 1024 ** 2;

const fileIn = (dataDirectory: string) => join(dataDirectory, 'last-rehearsal.json');

/** The result while a rehearsal runs. If its process is killed, this result remains. */
export const unfinished = 'The test restore did not finish.';

/** Returns the result of the last rehearsal, or null if there was none, or if a power failure has interrupted its writing. */
export async function lastRehearsal(dataDirectory: string): Promise<Rehearsal | null> {
  try {
    return rehearsal.parse(JSON.parse(await readFile(fileIn(dataDirectory), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Restores a backup into a temporary folder, as on a new machine: repeats the erasures, and compares the numbers of rows.
 * Changes none of the site's data. Records the result.
 */
export async function rehearse(store: BackupStore, backup: string, dataDirectory: string, key?: string): Promise<void> {
  const at = new Date().toISOString();
  const record = async (error: string | null) =>
    await writeFile(fileIn(dataDirectory), JSON.stringify({ at, error } satisfies Rehearsal), { mode: 0o600 });
  await record(unfinished);
  try {
    await store.read(backup, async (folder) => {
      await withStaging(dataDirectory, async (staging) => {
        const size = databaseSizeIn(dataDirectory) + (await sizeOf(join(dataDirectory, 'blobs')));
        await requireSpace(dataDirectory, size + leftFree, 'The test restore');
        const restored = join(staging, 'data');
        const { rows, erasedAgain } = await restore(join(folder, backup), restored, [], key);
        const found = await withDatabase(join(restored, databaseName), countRows);
        for (const [table, count] of Object.entries(rows ?? {})) {
          const missing = count - (found[table] ?? 0);
          // The erasures also count submissions that waited outside the database.
          if (missing >= 0 && missing <= (table === 'submissions' ? erasedAgain : 0)) continue;
          throw new CommandError(`${backup} had ${count} ${table}, and the restored site has ${found[table]}.`);
        }
      });
    });
    await record(null);
  } catch (error) {
    await record(adviceOn(error) ?? String(error));
  }
}
