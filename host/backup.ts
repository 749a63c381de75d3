import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as tar from 'tar';
import * as z from 'zod/mini';
import { sql } from '../netlify/server/db/database.ts';
import { migrations } from '../netlify/server/db/migrations.ts';
import {
  firstSchemaWithErasures,
  integrityFault,
  prepareCopy,
  rebuildSearch,
  rowsOf,
  schemaOf,
  withDatabase,
} from './backup-database.ts';
import { erasuresIn, erasuresOf, repeatErasuresIn, saveErasures } from './backup-erasures.ts';
import { BackupError, exists, hashes, linkAll, plainly, reasonOf, removeStaging } from './backup-files.ts';

/** Parts of the data folder that are backed up in addition to the database. */
const kept = ['blobs', 'session-secret'];
const manifestName = 'manifest.json';
const databaseName = 'site.db';
/**
 * The format of `manifest.json`, the list of an archive's contents. A restore compares this list with the files before
 * changing any data.
 */
const manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** Number of the newest migration of the database. Archives from early versions of the site lack this property. */
  schema: z.optional(z.number()),
  /** Number of rows of each table. */
  rows: z.optional(z.record(z.string(), z.number())),
  /** SHA-256 of each file in hex, by path. */
  files: z.record(z.string(), z.string()),
});

type Manifest = z.infer<typeof manifest>;

export interface BackupFacts {
  readonly files: number;
  readonly createdAt: string;
}

/**
 * Writes the site's data into one compressed archive: the database, the blobs and the session secret. The site may be
 * running. Copies the database first, so the archive has every file that the database refers to. Checks the finished
 * archive as a restore would, before it reports success.
 * @param archive the path of the new file, which appears only when the archive is complete.
 * @throws {BackupError} if the database is missing, the file exists, or the archive could not be restored.
 */
export async function backUp(dataDirectory: string, archive: string, now = new Date()): Promise<BackupFacts> {
  const database = join(dataDirectory, databaseName);
  if (!(await exists(database))) throw new BackupError(`There is no database in ${dataDirectory}.`);
  if (await exists(archive)) throw new BackupError(`${archive} already exists. Name another file.`);
  return await plainly(async () => {
    await removeStaging(dataDirectory);
    await mkdir(dirname(resolve(archive)), { recursive: true });
    // The temporary folder is on the same disk as the blobs, so the blobs can be hard-linked instead of copied.
    const staging = await mkdtemp(join(dataDirectory, '.backup-'));
    const unfinished = `${archive}.unfinished`;
    try {
      const copied = join(staging, databaseName);
      await withDatabase(database, (client) => client.read(sql('VACUUM INTO ?', copied)));
      const { schema, rows, erasures } = await withDatabase(copied, prepareCopy);
      for (const name of kept) {
        if (await exists(join(dataDirectory, name))) await linkAll(join(dataDirectory, name), join(staging, name));
      }
      const facts = { createdAt: now.toISOString(), schema, rows, files: await hashes(staging) };
      await writeFile(join(staging, manifestName), JSON.stringify({ format: 1, ...facts } satisfies Manifest, null, 2));
      await tar.create({ gzip: true, cwd: staging, file: unfinished, portable: true, mode: 0o600 }, ['.']);
      await saveErasures(dirname(resolve(archive)), erasures);
      await rm(staging, { recursive: true });
      await verify(unfinished, dataDirectory);
      await rename(unfinished, archive);
      return { createdAt: facts.createdAt, files: Object.keys(facts.files).length };
    } finally {
      await rm(staging, { recursive: true, force: true });
      await rm(unfinished, { force: true });
    }
  });
}

/**
 * Checks an archive as {@link restore} would. Writes only the database and the list of contents to the disk.
 * @param scratch an existing folder with enough space for the database.
 * @throws {BackupError} if the archive could not be restored.
 */
export async function verify(archive: string, scratch: string): Promise<BackupFacts> {
  if (!(await exists(archive))) throw new BackupError(`The file ${archive} does not exist.`);
  const { damaged, throwDamaged } = damagedBy(archive);
  return await plainly(async () => {
    const staging = await mkdtemp(join(scratch, '.restore-'));
    try {
      const found: Record<string, string> = {};
      const entries: Promise<void>[] = [];
      const failed = Promise.withResolvers<never>();
      const listing = tar.list({
        file: archive,
        strict: true,
        // Keeps entries paused until `readEntry` reads them.
        noResume: true,
        onReadEntry: (entry) => {
          const path = entry.path.replace(/^\.\//, '');
          if (entry.type !== 'File' && entry.type !== 'OldFile') return entry.resume();
          const copy = path === databaseName || path === manifestName ? join(staging, path) : null;
          const reading = readEntry(entry, copy).then((hash) => {
            found[path] = hash;
          });
          // The tar parser waits until an entry is read to its end. After a failed read, the parser would wait forever,
          // so the failure ends the whole check.
          reading.catch(failed.reject);
          entries.push(reading);
        },
      });
      await Promise.race([listing.catch(throwDamaged), failed.promise]);
      await Promise.all(entries);
      const listed = await readManifest(join(staging, manifestName));
      if (!listed) throw damaged('its list of files cannot be read');
      delete found[manifestName];
      await compare(archive, listed, found, join(staging, databaseName));
      return { createdAt: listed.createdAt, files: Object.keys(found).length };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
}

export interface RestoreFacts extends BackupFacts {
  /**
   * Number of inquiries and applications that were erased again; null if the backup was made by a version of the site
   * that did not record erasures yet.
   */
  readonly erasedAgain: number | null;
  /** Paths of the lists of erasures that the restore used. */
  readonly lists: readonly string[];
}

/**
 * Restores an archive that {@link backUp} wrote. Unpacks the archive inside the data folder, compares every file with
 * the archive's manifest, and checks the database. Then repeats the erasures of personal data that were made after the
 * backup. Reads them from the archive's folder, from `<data folder>.old`, and from the paths in `lists`. Finally, moves
 * all files into the data folder. The site must be stopped.
 * @throws {BackupError} if the archive is damaged, or if the data folder contains data, which is never overwritten.
 */
export async function restore(
  archive: string,
  dataDirectory: string,
  lists: readonly string[] = [],
): Promise<RestoreFacts> {
  if (!(await exists(archive))) throw new BackupError(`The file ${archive} does not exist.`);
  return await plainly(async () => {
    const { damaged, throwDamaged } = damagedBy(archive);
    const made = !(await exists(dataDirectory));
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    await removeStaging(dataDirectory, true);
    // The folder may be a mount point, which cannot be replaced by another folder. On ext4, a mount point contains a
    // `lost+found` folder.
    if ((await readdir(dataDirectory)).some((name) => name !== 'lost+found')) {
      throw new BackupError(
        `${dataDirectory} already holds data, and a restore never overwrites data. Move the data away first: mv ${dataDirectory} ${dataDirectory}.old (for a mounted folder, move what is inside it).`,
      );
    }
    let whole = false;
    const staging = await mkdtemp(join(dataDirectory, '.restore-'));
    try {
      await tar.extract({ file: archive, cwd: staging, strict: true, noChmod: true }).catch(throwDamaged);
      const listed = await readManifest(join(staging, manifestName));
      if (!listed) throw damaged('its list of files cannot be read');
      await rm(join(staging, manifestName));
      const found = await hashes(staging);
      await compare(archive, listed, found, join(staging, databaseName));

      const before = dirname(resolve(archive));
      const again = await erasuresIn([before, `${resolve(dataDirectory)}.old`, ...lists]);
      const erasedAgain = await repeatErasuresIn(staging, again.batches);
      // Moves the database last. If the restore is killed, the folder has no database and does not look like a complete
      // site.
      const names = (await readdir(staging)).filter((name) => name !== databaseName);
      for (const name of [...names, databaseName]) await rename(join(staging, name), join(dataDirectory, name));
      whole = true;
      const repeatable = (listed.schema ?? 0) >= firstSchemaWithErasures;
      const facts = { createdAt: listed.createdAt, files: Object.keys(found).length };
      return { ...facts, erasedAgain: repeatable ? erasedAgain : null, lists: again.sources };
    } finally {
      await rm(staging, { recursive: true, force: true });
      if (!whole && made) await rm(dataDirectory, { recursive: true, force: true });
    }
  });
}

/**
 * Adds the site's erasures to the list next to the backups. Fast enough to run often.
 * @returns the number of erasures.
 */
export async function listErasures(dataDirectory: string, folder: string): Promise<number> {
  return await plainly(async () => {
    const erasures = await withDatabase(join(dataDirectory, databaseName), erasuresOf);
    await saveErasures(folder, erasures);
    return erasures.length;
  });
}

/** Matches the names that {@link backupName} returns. */
const backupNames = /^backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz$/;

/** Returns the name of a new backup, with the time in UTC. Sorting the names sorts the backups by time. */
export function backupName(now: Date): string {
  return `backup-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}.tar.gz`;
}

/**
 * Deletes the oldest backups of a folder until `keep` backups are left. Ignores files with other names.
 * @returns the names of the deleted backups.
 */
export async function prune(folder: string, keep: number): Promise<string[]> {
  const found = (await readdir(folder)).filter((name) => backupNames.test(name)).sort();
  const old = found.slice(0, Math.max(0, found.length - keep));
  for (const name of old) await rm(join(folder, name));
  return old;
}

export async function onSameDisk(one: string, other: string): Promise<boolean> {
  return (await stat(one)).dev === (await stat(other)).dev;
}

function damagedBy(archive: string) {
  const damaged = (what: string) => new BackupError(`${archive} cannot be restored: ${what}. Nothing was changed.`);
  const throwDamaged = (error: unknown): never => {
    if (reasonOf(error)) throw error;
    throw damaged(error instanceof Error ? error.message : 'it is not an archive');
  };
  return { damaged, throwDamaged };
}

/**
 * Reads a file of an archive. If `copy` is a path, also writes the file to that path.
 * @returns the SHA-256 of the file in hex.
 */
async function readEntry(entry: tar.ReadEntry, copy: string | null): Promise<string> {
  const hash = createHash('sha256');
  const file = copy === null ? null : await open(copy, 'w');
  try {
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk);
      await file?.writeFile(chunk);
    }
  } finally {
    await file?.close();
  }
  return hash.digest('hex');
}

/** @throws {BackupError} if the files differ from the list, or if the site could not use the database. */
async function compare(
  archive: string,
  listed: Manifest,
  found: Readonly<Record<string, string>>,
  database: string,
): Promise<void> {
  const { damaged } = damagedBy(archive);
  for (const name of new Set([...Object.keys(listed.files), ...Object.keys(found)])) {
    if (listed.files[name] === undefined) throw damaged(`${name} is not on its list of files`);
    if (found[name] === undefined) throw damaged(`${name} is missing`);
    if (found[name] !== listed.files[name]) throw damaged(`${name} has changed since the backup`);
  }
  if (found[databaseName] === undefined) throw damaged(`${databaseName} is missing`);
  const { fault, schema, rows } = await withDatabase(database, async (client) => ({
    // In backups of earlier versions, the search index may be malformed after an erasure. A rebuild repairs the index.
    fault: (await integrityFault(client)) && (await rebuildSearch(client), await integrityFault(client)),
    schema: await schemaOf(client),
    rows: await rowsOf(client),
  })).catch((error: unknown) => {
    throw damaged(`the database says "${error instanceof Error ? error.message : String(error)}"`);
  });
  if (fault) throw damaged(`the database says "${fault}"`);
  const known = Math.max(...migrations.map(({ id }) => id));
  if (schema > known) {
    throw damaged(
      `it was made by a newer version of this site (schema ${schema}; this version knows ${known}). Install that version first`,
    );
  }
  for (const [table, count] of Object.entries(listed.rows ?? {})) {
    if (rows[table] !== count) throw damaged(`the table ${table} has ${rows[table] ?? 'no'} rows instead of ${count}`);
  }
}

async function readManifest(file: string): Promise<Manifest | null> {
  try {
    return manifest.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}
