import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Database, sql, text } from '../netlify/server/db/database.ts';
import { migrate } from '../netlify/server/db/migrate.ts';
import { readEnv } from '../netlify/server/runtime/env.ts';
import { repeatErasures } from '../netlify/server/submissions/personal-data.ts';
import { servicesOf } from '../netlify/server/services.ts';
import { openBlobs } from './data/blobs.ts';
import { openInThisThread } from './data/sqlite.ts';

/**
 * The name of the file next to the backups that lists all erasures. An erasure deletes a person's data on request. The
 * list identifies people by keyed hashes, so it contains no email addresses.
 */
const listName = 'erasures.json';

const batches = z.array(z.object({ batch: z.string(), at: z.string(), hashes: z.array(z.string()) }));
type Batches = z.infer<typeof batches>;

export async function erasuresOf(client: Database): Promise<Batches> {
  const rows = await client.read(
    sql('SELECT batch, at, json_group_array(hash) AS hashes FROM erasures GROUP BY batch, at'),
  );
  return batches.parse(
    rows.map(({ batch, at, hashes }) => ({ batch, at, hashes: JSON.parse(text(hashes)) as unknown })),
  );
}

/**
 * Reads the erasures from the blobs of a data folder, which works even if the database is damaged. The site must be
 * stopped, because `openBlobs` deletes unfinished files, even those that a running site is still writing.
 */
async function keptErasures(dataDirectory: string): Promise<Batches> {
  const blobs = (await openBlobs(join(dataDirectory, 'blobs')))('erasures');
  const found: Batches = [];
  for (const { key } of (await blobs.list()).blobs) {
    found.push(...batches.parse([await blobs.get(key, { type: 'json' })]));
  }
  return found;
}

/** Adds erasures to `erasures.json` in a folder of backups. */
export async function saveErasures(folder: string, kept: Batches): Promise<void> {
  const file = join(folder, listName);
  const merged = new Map([...(await readList(file)), ...kept].map((one) => [one.batch, one]));
  if (merged.size === 0) return;
  const unfinished = `${file}.unfinished`;
  await writeFile(unfinished, JSON.stringify([...merged.values()]), { mode: 0o600 });
  await rename(unfinished, file);
}

/**
 * Combines the lists of erasures at the given paths. Skips paths without a list.
 * @param places paths of lists, folders with a list, or data folders.
 * @returns the erasures, and the paths where lists were found.
 */
export async function erasuresIn(places: readonly string[]): Promise<{ batches: Batches; sources: string[] }> {
  const found: Batches = [];
  const sources: string[] = [];
  for (const place of places) {
    const facts = await stat(place).catch(() => null);
    const isData = facts?.isDirectory() && (await stat(join(place, 'blobs')).catch(() => null)) !== null;
    const file = facts?.isDirectory() ? join(place, listName) : place;
    if (isData) found.push(...(await keptErasures(place)));
    else if (!(await stat(file).catch(() => null))) continue;
    else found.push(...(await readList(file)));
    sources.push(isData ? place : file);
  }
  return { batches: found, sources };
}

/**
 * Migrates the database of a restored data folder, and deletes the data of the people in the lists again.
 * @returns the number of erased inquiries and applications.
 */
export async function repeatErasuresIn(dataDirectory: string, listed: Batches): Promise<number> {
  if (listed.length === 0) return 0;
  const database = openInThisThread(join(dataDirectory, 'site.db'));
  try {
    await migrate(database);
    const blobs = await openBlobs(join(dataDirectory, 'blobs'));
    const services = servicesOf(readEnv({ DATA_DIR: dataDirectory }), database, blobs);
    for (const one of listed) await blobs('erasures').setJSON(one.batch, one);
    const erased = await repeatErasures(services);
    while (!(await services.stores.searchWords.merge(60_000)));
    // Moves the content of the write-ahead log into the database file. Otherwise, the native library could delete the
    // log while the caller moves the files, because the library may close the database late.
    await database.read(sql('PRAGMA journal_mode = DELETE'));
    return erased;
  } finally {
    database.close();
  }
}

async function readList(file: string): Promise<Batches> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '[]';
    throw error;
  });
  return batches.parse(JSON.parse(content));
}
