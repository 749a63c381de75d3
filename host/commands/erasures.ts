import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { removeDeletedWords } from '../../netlify/server/db/search-index.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { repeatErasures } from '../../netlify/server/submissions/personal-data.ts';
import { openBlobs } from '../data/blobs.ts';
import { lastChangeOf } from '../data/set-aside.ts';
import { linkAll, withDatabase } from './archive.ts';

/*
 * An erasure deletes a person's data on request. The blob store has a file for each erasure, which identifies the person
 * by keyed hashes, so it contains no email address. The folder of the backups has copies of these files.
 */

const storeIn = (dataDirectory: string) => join(dataDirectory, 'blobs', 'entries', 'host', 'site:erasures');
const copiesIn = (folder: string) => join(folder, 'erasures');

/** Earlier versions listed all erasures in one file. */
const earlierList = z.object({
  until: z.string(),
  erasures: z.array(z.object({ batch: z.string(), at: z.string(), hashes: z.array(z.string()) })),
});

/** Copies the erasures to a folder of backups. Fast enough to run often. @returns the number of erasures there. */
export async function saveErasures(dataDirectory: string, folder: string, now = new Date()): Promise<number> {
  const copies = copiesIn(folder);
  await mkdir(copies, { recursive: true, mode: 0o700 });
  await linkAll(storeIn(dataDirectory), copies);
  // The time of the folder tells a restore until when the erasures are known.
  await utimes(copies, now, now);
  return (await readdir(copies)).length;
}

interface ErasureList {
  readonly source: string;
  /** The list has all erasures until this time. */
  readonly until: Date;
}

/**
 * Adds erasures to a data folder.
 * @param folders folders of backups, and former data folders.
 */
export async function addErasures(folders: readonly string[], dataDirectory: string): Promise<ErasureList[]> {
  const lists: ErasureList[] = [];
  for (const folder of new Set(folders)) {
    const copies = copiesIn(folder);
    if (existsSync(join(folder, 'blobs'))) {
      // The blobs can be read even if the database is damaged.
      await linkAll(storeIn(folder), storeIn(dataDirectory));
      lists.push({ source: folder, until: await lastChangeOf(folder) });
    } else if (existsSync(copies)) {
      await linkAll(copies, storeIn(dataDirectory));
      lists.push({ source: copies, until: (await stat(copies)).mtime });
    }
    const earlier = join(folder, 'erasures.json');
    if (existsSync(earlier)) {
      const { until, erasures } = earlierList.parse(JSON.parse(await readFile(earlier, 'utf8')));
      const store = (await openBlobs(join(dataDirectory, 'blobs')))('erasures');
      for (const one of erasures) await store.setJSON(one.batch, one);
      lists.push({ source: earlier, until: new Date(until) });
    }
  }
  return lists;
}

/**
 * Migrates the database of a restored data folder, and deletes the data of the erased people again.
 * @returns the number of erased inquiries and applications.
 */
export async function repeatErasuresIn(dataDirectory: string): Promise<number> {
  return await withDatabase(join(dataDirectory, 'site.db'), async (database) => {
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
