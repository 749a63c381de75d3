import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as tar from 'tar';
import * as z from 'zod/mini';
import { type Database, sql, text } from '../../netlify/server/db/database.ts';
import { migrations } from '../../netlify/server/db/migrations.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { lockData, lockFiles, refuseDataInUse } from '../data/lock.ts';
import { foldersAside, moveAsideCommands } from '../data/set-aside.ts';
import { openInThisThread } from '../data/sqlite.ts';
import {
  BackupError,
  exists,
  linkAll,
  linkOne,
  plainly,
  reasonOf,
  removeStaging,
  requireReadable,
} from './backup-files.ts';
import { erasuresOf, findErasures, repeatErasuresIn, saveErasures } from './erasures.ts';

/** Parts of the data folder that are backed up in addition to the database. */
const kept = ['blobs', 'session-secret'];
const manifestName = 'manifest.json';
const databaseName = 'site.db';

/** What an archive says about itself. The first version of the site did not record its version. */
const manifest = z.object({ format: z.literal(1), createdAt: z.string(), version: z.optional(z.string()) });
type Manifest = z.infer<typeof manifest>;

/**
 * Writes the site's data into one compressed archive: the database, the blobs and the session secret. The site may be
 * running. Copies the database first, so the archive has every file that the database refers to. Checks the finished
 * archive as a restore would, before it reports success.
 * @param archive the path of the new file, which appears only when the archive is complete.
 * @throws {BackupError} if the database is missing, the file exists, or the archive could not be restored.
 */
export async function backUp(dataDirectory: string, archive: string, now = new Date()): Promise<void> {
  const database = join(dataDirectory, databaseName);
  if (!(await exists(database))) throw new BackupError(`There is no database in ${dataDirectory}.`);
  if (await exists(archive)) throw new BackupError(`${archive} already exists. Name another file.`);
  await plainly(async () => {
    await removeStaging(dataDirectory);
    await mkdir(dirname(resolve(archive)), { recursive: true });
    // The temporary folder is on the same disk as the blobs, so the blobs can be hard-linked instead of copied.
    const staging = await mkdtemp(join(dataDirectory, '.backup-'));
    const unfinished = `${archive}.unfinished`;
    try {
      const copy = join(staging, databaseName);
      await withDatabase(database, (live) => live.read(sql('VACUUM INTO ?', copy)));
      const erasures = await withDatabase(copy, prepareCopy);
      for (const name of kept) {
        if (await exists(join(dataDirectory, name))) await linkAll(join(dataDirectory, name), join(staging, name));
      }
      const facts: Manifest = { format: 1, createdAt: now.toISOString(), version: packageJson.version };
      await writeFile(join(staging, manifestName), JSON.stringify(facts));
      await tar.create({ gzip: true, cwd: staging, file: unfinished, portable: true, mode: 0o600 }, ['.']);
      await verify(unfinished, dataDirectory);
      await saveErasures(dirname(resolve(archive)), erasures, now);
      await rename(unfinished, archive);
    } finally {
      await rm(staging, { recursive: true, force: true });
      await rm(unfinished, { force: true });
    }
  });
}

/** Removes the words of deleted rows from the copy of the database. @returns the erasures. */
async function prepareCopy(copy: Database) {
  const unmerged = await copy.read(sql('SELECT 1 FROM search_deletions WHERE merged < deletions'));
  if (unmerged.length > 0) await rebuildSearch(copy);
  return await erasuresOf(copy);
}

/**
 * Checks an archive as {@link restore} would. Writes only the database to the disk.
 * @param scratch an existing folder with enough space for the database.
 * @returns the time of the backup.
 * @throws {BackupError} if the archive could not be restored.
 */
export async function verify(archive: string, scratch: string): Promise<string> {
  await requireReadable(archive);
  return await plainly(async () => {
    const staging = await mkdtemp(join(scratch, '.restore-'));
    try {
      return await unpack(archive, staging, [databaseName, manifestName]);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
}

export interface RestoreFacts {
  readonly createdAt: string;
  /** The number of inquiries and applications that were erased again. */
  readonly erasedAgain: number;
  /** Paths of the lists of erasures that the restore used. */
  readonly lists: readonly string[];
  /** No list has the erasures after this time. */
  readonly knownUntil: string;
  /** The former data folder whose waiting submissions were added. */
  readonly waitingFrom: string | null;
}

/**
 * Restores an archive that {@link backUp} wrote. Unpacks and checks the archive inside the data folder. Adds the
 * submissions that wait in the blob store of the newest former data folder. Then repeats the erasures of personal data
 * that were made after the backup (see {@link findErasures}). Finally, moves all files into the data folder.
 * @param given paths of further lists of erasures.
 * @throws {BackupError} if the archive is damaged, or if the data folder contains data, which is never overwritten.
 * @throws {DataInUseError} if the site runs.
 */
export async function restore(
  archive: string,
  dataDirectory: string,
  given: readonly string[] = [],
): Promise<RestoreFacts> {
  await requireReadable(archive);
  const aside = await foldersAside(dataDirectory);
  for (const folder of [dataDirectory, ...aside.map(({ path }) => path)]) await refuseDataInUse(folder);
  return await plainly(async () => {
    const isNew = !(await exists(dataDirectory));
    const unlock = await lockData(dataDirectory, 'a restore');
    let isComplete = false;
    let staging: string | undefined;
    try {
      await removeStaging(dataDirectory, true);
      // The folder may be a mount point, which cannot be replaced by another folder. On ext4, a mount point contains a
      // `lost+found` folder.
      const ignored = ['lost+found', ...lockFiles];
      if ((await readdir(dataDirectory)).some((name) => !ignored.includes(name))) {
        throw new BackupError(
          `${dataDirectory} already holds data, and a restore never overwrites data. Move the data away first ` +
            `(for a mounted folder, move the files inside it):\n${moveAsideCommands(dataDirectory)}`,
        );
      }
      staging = await mkdtemp(join(dataDirectory, '.restore-'));
      const createdAt = await unpack(archive, staging);
      const [newest] = aside;
      const addsWaiting = newest ? await linkWaiting(newest.path, staging) : false;
      const lists = await findErasures(dirname(resolve(archive)), dataDirectory, given);
      const erasedAgain = await repeatErasuresIn(
        staging,
        lists.flatMap(({ erasures }) => erasures),
      );
      // Moves the database last. If the restore is killed, the folder has no database and does not look like a complete
      // site.
      const names = (await readdir(staging)).filter((name) => name !== databaseName && name !== manifestName);
      for (const name of [...names, databaseName]) await rename(join(staging, name), join(dataDirectory, name));
      isComplete = true;
      return {
        createdAt,
        erasedAgain,
        lists: lists.map(({ source }) => source),
        knownUntil: [createdAt, ...lists.map(({ until }) => until)].sort().at(-1)!,
        waitingFrom: newest && addsWaiting ? newest.path : null,
      };
    } finally {
      unlock();
      if (staging) await rm(staging, { recursive: true, force: true });
      if (!isComplete && isNew) await rm(dataDirectory, { recursive: true, force: true });
    }
  }, dataDirectory);
}

/**
 * Unpacks an archive, or only the given files of it, and checks it. The decompression finds a damaged archive.
 * @returns the time of the backup.
 */
async function unpack(archive: string, to: string, names?: readonly string[]): Promise<string> {
  const damaged = (what: string) => new BackupError(`${archive} cannot be restored: ${what}. Nothing was changed.`);
  const filter = (path: string) => !names || names.includes(basename(path));
  await tar.extract({ file: archive, cwd: to, strict: true, noChmod: true, filter }).catch((error: unknown) => {
    if (reasonOf(error)) throw error;
    throw damaged(error instanceof Error ? error.message : 'it is not an archive');
  });
  const facts = await readFile(join(to, manifestName), 'utf8').then(
    (content) => manifest.safeParse(JSON.parse(content)),
    () => null,
  );
  if (!facts?.success || !(await exists(join(to, databaseName)))) throw damaged('it is not a backup of this site');
  const { createdAt, version = 'unknown' } = facts.data;
  const schema = await withDatabase(join(to, databaseName), async (database) => {
    if (!(await isIntact(database))) {
      // In backups of the first version, the search index may be malformed after an erasure.
      await rebuildSearch(database);
      if (!(await isIntact(database))) throw new Error('an integrity check fails');
    }
    const [newest] = await database.read(sql('SELECT max(id) AS id FROM migrations'));
    return Number(newest?.id);
  }).catch((error: unknown) => {
    throw damaged(`the database says "${error instanceof Error ? error.message : String(error)}"`);
  });
  const known = Math.max(...migrations.map(({ id }) => id));
  if (schema > known) {
    throw damaged(
      `a newer version of this site made it (version ${version}, schema ${schema}; this version knows ${known}). Install that version first`,
    );
  }
  return createdAt;
}

/** Adds the submissions that wait in the blob store of another data folder, and the resumes of the applications. */
async function linkWaiting(from: string, to: string): Promise<boolean> {
  const stores = join('blobs', 'entries', 'host');
  const spool = join(stores, 'site:spool');
  const filesIn = (path: string) => readdir(join(from, path)).catch(() => []);
  const applications = await filesIn(join(spool, 'applications'));
  if (applications.length + (await filesIn(join(spool, 'inquiries'))).length === 0) return false;
  await linkAll(join(from, spool), join(to, spool));
  await mkdir(join(to, stores, 'site:resumes'), { recursive: true });
  for (const id of applications) {
    await linkOne(join(from, stores, 'site:resumes', id), join(to, stores, 'site:resumes', id));
  }
  return true;
}

/** Adds the site's erasures to the list next to the backups. Fast enough to run often. @returns their number. */
export async function listErasures(dataDirectory: string, folder: string): Promise<number> {
  return await plainly(async () => {
    const now = new Date();
    const erasures = await withDatabase(join(dataDirectory, databaseName), erasuresOf);
    await saveErasures(folder, erasures, now);
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

async function withDatabase<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openInThisThread(file, { lockWaitMs: 30_000, create: false });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

async function isIntact(database: Database): Promise<boolean> {
  return (await database.read(sql('PRAGMA integrity_check(1)')))[0]?.integrity_check === 'ok';
}

/** Rebuilds each full-text index from the rows of its table. */
async function rebuildSearch(database: Database): Promise<void> {
  const indexes = await database.read(sql(`SELECT name FROM pragma_table_list WHERE type = 'virtual'`));
  for (const { name } of indexes) {
    await database.write(sql(`INSERT INTO "${text(name)}" ("${text(name)}") VALUES ('rebuild')`));
  }
}
