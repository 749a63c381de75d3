import { constants, existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as tar from 'tar';
import * as z from 'zod/mini';
import { type Database, rawSql, sql, text } from '../../netlify/server/db/database.ts';
import type { Env } from '../../netlify/server/env.ts';
import { newestId } from '../../netlify/server/db/migrations/from-30.ts';
import { filesIn } from '../data/files-in.ts';
import { freeBytesOf } from '../data/platform.ts';
import { readArchive } from './encryption.ts';
import { databaseName, openInThisThread } from '../data/sqlite.ts';
import { CommandError, adviceOn } from '../errors.ts';

export const manifestName = 'manifest.json';

/** What an archive says about itself. The first version of the site did not record its version. */
const manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  version: z.optional(z.string()),
  /** The number of files in the archive, without this one. Missing in archives of earlier versions, like `rows`. */
  fileCount: z.optional(z.number()),
  /** The number of rows in the most important tables. */
  rows: z.optional(z.record(z.string(), z.number())),
});
export type Manifest = z.infer<typeof manifest>;

/** Names of the temporary folders that commands make. */
const stagingNames = /^\.backup-\w{6}$/;
/** A temporary folder that has not changed for this many milliseconds was left by a command that was killed. */
const abandonedMs = 3 * 60 * 60_000;

/** Returns the data folder of this machine, which a backup copies. @throws {CommandError} if the database is on a server. */
export function ownDataDirectory({ DATA_DIR, LIBSQL_URL }: Env): string {
  if (LIBSQL_URL === undefined) return DATA_DIR;
  throw new CommandError(
    'LIBSQL_URL names a database server, which backups do not include. For a site on Netlify, set NETLIFY_SITE_ID and NETLIFY_AUTH_TOKEN. Otherwise, use the backups of that service (Turso: point-in-time restore; your own sqld: a snapshot of its volume), and copy the blobs of DATA_DIR. See docs/operate.md.',
  );
}

/**
 * Runs `work` with a temporary folder inside `folder`, so files can move between the two without being copied. Removes the
 * temporary folder also if a signal ends the command, and those of commands that were killed.
 */
export async function withStaging<T>(folder: string, work: (staging: string) => Promise<T>): Promise<T> {
  await removeStaging(folder, abandonedMs);
  const staging = await mkdtemp(join(folder, '.backup-'));
  const remove = () => rmSync(staging, { recursive: true, force: true });
  const end = () => process.exit(1);
  process.on('exit', remove).on('SIGINT', end).on('SIGTERM', end);
  try {
    return await work(staging);
  } finally {
    remove();
    process.off('exit', remove).off('SIGINT', end).off('SIGTERM', end);
  }
}

/** Removes staging folders that killed commands of this account left, and that have not changed for some milliseconds. */
export async function removeStaging(folder: string, unchangedMs: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => stagingNames.test(one))) {
    // Another backup may have removed its own folder.
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (!found || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < unchangedMs) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Checks an archive as a restore would. Writes only the database to the disk.
 * @param scratch an existing folder with enough space for the database.
 * @param key `BACKUP_KEY`, for an encrypted archive.
 * @returns the time of the backup.
 * @throws {CommandError} if the archive could not be restored.
 */
export async function verify(archive: string, scratch: string, key?: string): Promise<string> {
  return await withStaging(scratch, async (staging) => {
    const { createdAt } = await unpack(archive, staging, key, [databaseName, manifestName]);
    return createdAt;
  });
}

/**
 * Unpacks an archive, or only the given files of it, and checks it. The decompression finds a damaged archive.
 * @returns what the archive says about itself.
 */
export async function unpack(
  archive: string,
  to: string,
  key: string | undefined,
  names?: readonly string[],
): Promise<Manifest> {
  const damaged = (what: string) => new CommandError(`${archive} cannot be restored: ${what}. Nothing was changed.`);
  let refused: string | undefined;
  let files = 0;
  const filter: tar.TarOptionsWithAliasesAsyncNoFile['filter'] = (path, entry) => {
    if ('type' in entry && !isAllowed(path, entry)) refused ??= path;
    // Ignores the modes in the archive, which could let other accounts read the files.
    if ('type' in entry) entry.mode = entry.type === 'Directory' ? 0o700 : 0o600;
    if ('type' in entry && entry.type !== 'Directory' && basename(path) !== manifestName) files += 1;
    return refused === undefined && (!names || names.includes(basename(path)));
  };
  try {
    const extraction: unknown = tar.extract({ cwd: to, strict: true, filter });
    await pipeline(await readArchive(archive, key), extraction as Writable);
  } catch (error) {
    if (adviceOn(error) !== undefined) throw error;
    throw damaged(error instanceof Error ? error.message : 'it is not an archive');
  }
  if (refused !== undefined) throw damaged(`it contains ${refused}, which no backup of this site contains`);
  const facts = await readFile(join(to, manifestName), 'utf8').then(
    (content) => manifest.safeParse(JSON.parse(content)),
    () => null,
  );
  if (!facts?.success || !existsSync(join(to, databaseName))) throw damaged('it is not a backup of this site');
  const { version = 'unknown', fileCount = files } = facts.data;
  if (fileCount !== files) {
    throw damaged(`it contains ${files} files, and should contain ${fileCount}`);
  }
  const schema = await withDatabase(join(to, databaseName), async (database) => {
    if (!(await isIntact(database))) {
      // In backups of the first version, the search index may be malformed after an erasure.
      await rebuildSearch(database);
      if (!(await isIntact(database))) throw new Error('an integrity check fails');
    }
    const [newest] = await database.read(sql`SELECT max(id) AS id FROM migrations`);
    return Number(newest?.id);
  }).catch((error: unknown) => {
    throw damaged(`the database says "${error instanceof Error ? error.message : String(error)}"`);
  });
  if (schema > newestId) {
    throw damaged(
      `a newer version of this site made it (version ${version}, schema ${schema}; this version knows ${newestId}). Install that version first`,
    );
  }
  return facts.data;
}

export async function withDatabase<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openInThisThread(file, { lockWaitMs: 30_000, create: false });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/**
 * Ends all sessions, share links and set-up links of a restored database. Otherwise, those that were ended after the
 * backup would work again.
 */
export async function endSessions(file: string): Promise<void> {
  await withDatabase(file, async (database) => {
    // Databases of earlier versions have no set-up links.
    const found = await database.read(
      sql`SELECT name FROM sqlite_schema WHERE name IN ('sessions', 'share_links', 'set_up_links')`,
    );
    await database.write(...found.map(({ name }) => sql`DELETE FROM ${rawSql(text(name))}`));
  });
}

/** Counts the rows of the most important tables. */
export async function countRows(database: Database): Promise<Record<string, number>> {
  const [row] = await database.read(sql`SELECT (SELECT count(*) FROM submissions) AS submissions,
    (SELECT count(*) FROM posts) AS posts, (SELECT count(*) FROM media) AS media, (SELECT count(*) FROM admins) AS admins`);
  return Object.fromEntries(Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)]));
}

/** Returns the bytes of all files in a folder. The running site may delete some of them meanwhile. */
export async function sizeOf(folder: string): Promise<number> {
  const sizes = (await filesIn(folder)).map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the bytes of the database in a data folder. */
export function databaseSizeIn(dataDirectory: string): number {
  const file = join(dataDirectory, databaseName);
  return statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

/** @throws {CommandError} if the disk of a folder has fewer free bytes. */
export async function requireSpace(folder: string, bytes: number, what: string): Promise<void> {
  if ((await freeBytesOf(folder)) > bytes) return;
  const needed = Math.ceil(bytes / 1024 ** 2).toLocaleString('en-US');
  throw new CommandError(`${what} needs ${needed} MB of free disk space for ${folder}.`);
}

async function isIntact(database: Database): Promise<boolean> {
  return (await database.read(sql`PRAGMA integrity_check(1)`))[0]?.integrity_check === 'ok';
}

/** Rebuilds each full-text index from the rows of its table, or merges it if it stores no text (`content = ''`). */
async function rebuildSearch(database: Database): Promise<void> {
  const indexes = await database.read(sql`SELECT name, sql FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'`);
  for (const { name, sql: declaration } of indexes) {
    const command = text(declaration).includes(`content = ''`) ? 'optimize' : 'rebuild';
    const index = rawSql(`"${text(name)}"`);
    await database.write(sql`INSERT INTO ${index} (${index}) VALUES (${command})`);
  }
}

/** A backup contains only folders and files, without links and without paths that lead to another folder. */
function isAllowed(path: string, { type }: tar.ReadEntry): boolean {
  return ['Directory', 'File', 'OldFile'].includes(type) && !isAbsolute(path) && !path.split(/[\\/]/).includes('..');
}

/** Hard-links the files of a folder, if it exists. Links are safe because blobs are never changed in place. */
export async function linkAll(from: string, to: string): Promise<void> {
  for (const path of await filesIn(from)) await linkFile(path, join(to, relative(from, path)));
}

/**
 * Hard-links a file, unless it is already there. Copies the file if the disk does not support hard links. Skips a blob
 * that the running site has just deleted.
 */
export async function linkFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await link(from, to)
    .catch(() => copyFile(from, to, constants.COPYFILE_EXCL))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
    });
}
