import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { removeDeletedWords } from '../../netlify/server/db/search-index.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { repeatErasures } from '../../netlify/server/submissions/personal-data.ts';
import { openBlobs, storeIn } from '../data/blobs.ts';
import { databaseName } from '../data/sqlite.ts';
import { linkAll, withDatabase } from './archive.ts';

/*
 * An erasure deletes a person's data on request. The blob store has a file for each erasure, which identifies the person
 * by keyed hashes, so it contains no email address. The folder of the backups has copies of these files.
 */

const erasuresIn = (dataDirectory: string) => storeIn(join(dataDirectory, 'blobs'), 'erasures');
const copiesIn = (folder: string) => join(folder, 'erasures');

/** Earlier versions listed all erasures in one file. */
const earlierList = z.object({
  until: z.string(),
  erasures: z.array(z.object({ batch: z.string(), at: z.string(), hashes: z.array(z.string()) })),
});

/** The file in the copies with the time until which they contain every erasure. */
export const timeName = 'complete-until.txt';

/** Copies the erasures to a folder of backups. Fast enough to run often. */
export async function saveErasures(dataDirectory: string, folder: string, now = new Date()): Promise<void> {
  const copies = copiesIn(folder);
  await mkdir(copies, { recursive: true, mode: 0o700 });
  await linkAll(erasuresIn(dataDirectory), copies);
  // In a file, because the time of a folder changes when the folder is copied.
  await writeFile(join(copies, timeName), now.toISOString());
}

/**
 * Adds erasures to a data folder.
 * @param folders folders of backups, and former data folders.
 * @returns the paths of the lists with the erasures, and the time until which they contain every erasure: an empty text if
 * there is no erasure.
 */
export async function addErasures(folders: readonly string[], dataDirectory: string) {
  const store = (await openBlobs(join(dataDirectory, 'blobs')))('erasures');
  const lists: string[] = [];
  const times: string[] = [];
  for (const folder of new Set(folders)) {
    const copies = copiesIn(folder);
    if (existsSync(join(folder, 'blobs'))) {
      // The blobs can be read even if the database is damaged.
      await linkAll(erasuresIn(folder), erasuresIn(dataDirectory));
      lists.push(folder);
    } else if (existsSync(copies)) {
      await linkAll(copies, erasuresIn(dataDirectory));
      await rm(join(erasuresIn(dataDirectory), timeName), { force: true });
      lists.push(copies);
      times.push(await readFile(join(copies, timeName), 'utf8').catch(() => ''));
    }
    const earlier = join(folder, 'erasures.json');
    if (existsSync(earlier)) {
      const { until, erasures } = earlierList.parse(JSON.parse(await readFile(earlier, 'utf8')));
      for (const one of erasures) await store.setJSON(one.batch, one);
      lists.push(earlier);
      times.push(until);
    }
  }
  for (const { key } of (await store.list()).blobs) {
    // A copy that a power failure interrupted is empty.
    const erasure = (await store.get(key, { type: 'json' })) as { at: string } | null;
    if (erasure) times.push(erasure.at);
  }
  return { lists, until: times.sort().at(-1) ?? '' };
}

/**
 * Migrates the database of a restored data folder, and deletes the data of the erased people again.
 * @returns the number of erased inquiries and applications.
 */
export async function repeatErasuresIn(dataDirectory: string): Promise<number> {
  return await withDatabase(join(dataDirectory, databaseName), async (database) => {
    await migrate(database);
    const services = servicesOf(
      readEnv({ DATA_DIR: dataDirectory }),
      database,
      await openBlobs(join(dataDirectory, 'blobs')),
    );
    const erased = await repeatErasures(services);
    await removeDeletedWords(database);
    return erased;
  });
}
