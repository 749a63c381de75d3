import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Database, sql, text } from '../../netlify/server/db/database.ts';
import { migrate } from '../../netlify/server/db/migrate.ts';
import { readEnv } from '../../netlify/server/env.ts';
import { servicesOf } from '../../netlify/server/services.ts';
import { repeatErasures } from '../../netlify/server/submissions/personal-data.ts';
import { openBlobs } from '../data/blobs.ts';
import { lastChangeOf } from '../data/set-aside.ts';
import { openInThisThread } from '../data/sqlite.ts';

/**
 * The file next to the backups that lists all erasures. An erasure deletes a person's data on request. The list
 * identifies people by keyed hashes, so it contains no email addresses.
 */
const listName = 'erasures.json';

const batches = z.array(z.object({ batch: z.string(), at: z.string(), hashes: z.array(z.string()) }));
type Batches = z.infer<typeof batches>;

/** Earlier versions wrote only the erasures, without the time at which they were listed. */
const lists = z.union([z.object({ until: z.string(), erasures: batches }), batches]);

/** Erasures from one file or folder, which has all erasures until the given time. */
interface ErasureList {
  readonly source: string;
  readonly until: string;
  readonly erasures: Batches;
}

export async function erasuresOf(database: Database): Promise<Batches> {
  const rows = await database.read(
    sql`SELECT batch, at, json_group_array(hash) AS hashes FROM erasures GROUP BY batch, at`,
  );
  return batches.parse(
    rows.map(({ batch, at, hashes }) => ({ batch, at, hashes: JSON.parse(text(hashes)) as unknown })),
  );
}

/** Adds erasures to `erasures.json` in a folder of backups. */
export async function saveErasures(folder: string, erasures: Batches, now: Date): Promise<void> {
  const file = join(folder, listName);
  const before = await readList(file);
  const merged = new Map([...(before?.erasures ?? []), ...erasures].map((one) => [one.batch, one]));
  const list = { until: now.toISOString(), erasures: [...merged.values()] };
  // Two backups into one folder may be running.
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  try {
    await writeFile(unfinished, JSON.stringify(list), { mode: 0o600 });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Reads the lists of erasures at some paths: of a list, of a folder with a list, or of a data folder. */
export async function findErasures(paths: readonly string[]): Promise<ErasureList[]> {
  return (await Promise.all([...new Set(paths)].map(listAt))).filter((list) => list !== null);
}

async function listAt(path: string): Promise<ErasureList | null> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isDirectory()) return await readList(path);
  const blobs = join(path, 'blobs');
  if (!(await stat(blobs).catch(() => null))) return await readList(join(path, listName));
  // The blobs can be read even if the database is damaged. The site must be stopped, because `openBlobs` deletes
  // unfinished files.
  const store = (await openBlobs(blobs))('erasures');
  const erasures: Batches = [];
  for (const { key } of (await store.list()).blobs) {
    erasures.push(...batches.parse([await store.get(key, { type: 'json' })]));
  }
  return { source: path, until: (await lastChangeOf(path)).toISOString(), erasures };
}

async function readList(file: string): Promise<ErasureList | null> {
  const facts = await stat(file).catch(() => null);
  if (!facts) return null;
  const list = lists.parse(JSON.parse(await readFile(file, 'utf8')));
  return Array.isArray(list)
    ? { source: file, until: facts.mtime.toISOString(), erasures: list }
    : { source: file, ...list };
}

/**
 * Migrates the database of a restored data folder, and deletes the data of the people in the lists again.
 * @returns the number of erased inquiries and applications.
 */
export async function repeatErasuresIn(dataDirectory: string, erasures: Batches): Promise<number> {
  if (erasures.length === 0) return 0;
  const database = openInThisThread(join(dataDirectory, 'site.db'));
  try {
    await migrate(database);
    const blobs = await openBlobs(join(dataDirectory, 'blobs'));
    const services = servicesOf(readEnv({ DATA_DIR: dataDirectory }), database, blobs);
    for (const one of erasures) await blobs('erasures').setJSON(one.batch, one);
    const erased = await repeatErasures(services);
    while (!(await services.stores.searchWords.merge(60_000)));
    return erased;
  } finally {
    database.close();
  }
}
