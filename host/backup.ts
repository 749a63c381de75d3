import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { type Client, createClient } from '@libsql/client';
import * as tar from 'tar';
import * as z from 'zod/mini';
import { text } from '../netlify/server/db/database.ts';
import { migrations } from '../netlify/server/db/migrations.ts';
import { erasuresIn, erasuresOf, repeatErasuresIn, saveErasures } from './backup-erasures.ts';

/** What of the data folder is kept in addition to the database. */
const kept = ['blobs', 'session-secret'];
const manifestName = 'manifest.json';
const databaseName = 'site.db';
/** Names of the folders in which a backup or a restore works, inside the data folder. A killed command leaves its folder behind. */
const stagingNames = /^\.(?:backup|restore)-\w{6}$/;

/** Part of every archive: what it must hold, so that damage is found before anything is put back. */
const manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** The newest migration of the database. Older archives do not say. */
  schema: z.optional(z.number()),
  /** How many rows each table has. */
  rows: z.optional(z.record(z.string(), z.number())),
  /** SHA-256 in hex by path. */
  files: z.record(z.string(), z.string()),
});

type Manifest = z.infer<typeof manifest>;

/** What went wrong, in words for the person at the terminal. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export interface BackupFacts {
  readonly files: number;
  readonly createdAt: string;
}

/**
 * Writes everything that the site holds into one compressed archive: the database as of this moment, which may be written to
 * meanwhile, the blobs and the session secret. The database is copied first, so that every file it names is in the archive.
 * Before this reports success, it reads the archive back as a restore would.
 * @param archive where to; nothing is there before the archive is whole.
 * @throws {BackupError} where there is nothing to keep, something is in the way, or the archive could not be restored.
 */
export async function backUp(dataDirectory: string, archive: string, now = new Date()): Promise<BackupFacts> {
  const database = join(dataDirectory, databaseName);
  if (!(await exists(database))) throw new BackupError(`There is no database in ${dataDirectory}.`);
  if (await exists(archive)) throw new BackupError(`${archive} already exists. Name another file.`);
  return await plainly(async () => {
    await removeStaging(dataDirectory);
    await mkdir(dirname(resolve(archive)), { recursive: true });
    // Next to the blobs, which are linked rather than copied: a backup needs no second copy of them.
    const staging = await mkdtemp(join(dataDirectory, '.backup-'));
    const unfinished = `${archive}.unfinished`;
    try {
      const copied = join(staging, databaseName);
      await withDatabase(database, (client) => client.execute({ sql: 'VACUUM INTO ?', args: [copied] }));
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
 * Reads an archive as {@link restore} would, and puts nothing back. Only its database is unpacked.
 * @param scratch an existing folder with room for the database.
 * @throws {BackupError} where the archive could not be restored.
 */
export async function verify(archive: string, scratch: string): Promise<BackupFacts> {
  const damaged = damagedBy(archive);
  if (!(await exists(archive))) throw new BackupError(`There is no file ${archive}.`);
  return await plainly(async () => {
    const staging = await mkdtemp(join(scratch, '.restore-'));
    try {
      const found: Record<string, string> = {};
      const reading: Promise<void>[] = [];
      await tar
        .list({
          file: archive,
          strict: true,
          onReadEntry: (entry) => {
            const path = entry.path.replace(/^\.\//, '');
            if (entry.type !== 'File' && entry.type !== 'OldFile') return entry.resume();
            const hash = createHash('sha256');
            const copy = path === databaseName || path === manifestName ? createWriteStream(join(staging, path)) : null;
            const sink = new Writable({
              write: (chunk: Buffer, _encoding, done) => {
                hash.update(chunk);
                if (!copy || copy.write(chunk)) done();
                else copy.once('drain', done);
              },
              final: (done) => {
                found[path] = hash.digest('hex');
                if (copy) copy.end(done);
                else done();
              },
            });
            reading.push(
              new Promise((done, failed) => {
                sink.once('finish', done).once('error', failed);
                copy?.once('error', failed);
              }),
            );
            entry.pipe(sink);
          },
        })
        .catch((error: unknown) => {
          throw damaged(error instanceof Error ? error.message : 'it is not an archive');
        });
      await Promise.all(reading);
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
  /** How many inquiries and applications were erased again; null where the backup is older than the list of erasures. */
  readonly erasedAgain: number | null;
  /** The lists of erasures that were read. */
  readonly lists: readonly string[];
}

/**
 * Puts an archive of {@link backUp} back. It is unpacked inside the data folder, every file compared with the archive's own list
 * and the database checked, and only then moved into place. People who were erased after the backup are erased again, by the
 * lists of erasures next to the archive, in `<data folder>.old`, and in `lists`. The site must not run.
 * @throws {BackupError} where the archive is damaged, or the folder holds data: that is never overwritten.
 */
export async function restore(
  archive: string,
  dataDirectory: string,
  lists: readonly string[] = [],
): Promise<RestoreFacts> {
  if (!(await exists(archive))) throw new BackupError(`There is no file ${archive}.`);
  return await plainly(async () => {
    const damaged = damagedBy(archive);
    const made = !(await exists(dataDirectory));
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    await removeStaging(dataDirectory);
    // The folder may be a mount point, which cannot be replaced, and which ext4 gives a folder of its own.
    if ((await readdir(dataDirectory)).some((name) => name !== 'lost+found')) {
      throw new BackupError(
        `${dataDirectory} holds data, which a restore never overwrites. Move the data away first: mv ${dataDirectory} ${dataDirectory}.old (for a mounted folder, move what is inside it).`,
      );
    }
    let whole = false;
    const staging = await mkdtemp(join(dataDirectory, '.restore-'));
    try {
      await tar.extract({ file: archive, cwd: staging, strict: true, noChmod: true }).catch((error: unknown) => {
        if (reasonOf(error)) throw error;
        throw damaged(error instanceof Error ? error.message : 'it is not an archive');
      });
      const listed = await readManifest(join(staging, manifestName));
      if (!listed) throw damaged('its list of files cannot be read');
      await rm(join(staging, manifestName));
      const found = await hashes(staging);
      await compare(archive, listed, found, join(staging, databaseName));

      const before = dirname(resolve(archive));
      const again = await erasuresIn([before, `${resolve(dataDirectory)}.old`, ...lists]);
      const erasedAgain = await repeatErasuresIn(staging, again.batches);
      // The database last: without it the site's data is not there, so a killed restore is not taken for a finished one.
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

/** The migration that gave the database its key for the list of erasures. */
const firstSchemaWithErasures = 23;

/**
 * Adds the erasures that the site knows of to the list next to the backups. It takes no time, and may be done often.
 * @returns how many batches the site knows of.
 */
export async function listErasures(dataDirectory: string, folder: string): Promise<number> {
  return await plainly(async () => {
    const erasures = await withDatabase(join(dataDirectory, databaseName), erasuresOf);
    await saveErasures(folder, erasures);
    return erasures.length;
  });
}

/** Names that {@link backupName} gives. */
const backupNames = /^backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz$/;

/** The name of a backup that is made now, in UTC: names in order are times in order. */
export function backupName(now: Date): string {
  return `backup-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}.tar.gz`;
}

/**
 * Deletes all but the newest backups of a folder. Files with other names stay.
 * @returns the names of those deleted.
 */
export async function prune(folder: string, keep: number): Promise<string[]> {
  const found = (await readdir(folder)).filter((name) => backupNames.test(name)).sort();
  const old = found.slice(0, Math.max(0, found.length - keep));
  for (const name of old) await rm(join(folder, name));
  return old;
}

/** Whether both are on one disk, which takes both with it when it fails. */
export async function onSameDisk(one: string, other: string): Promise<boolean> {
  return (await stat(one)).dev === (await stat(other)).dev;
}

function damagedBy(archive: string): (what: string) => BackupError {
  return (what) => new BackupError(`${archive} cannot be restored: ${what}. Nothing was changed.`);
}

/** @throws {BackupError} where the files are not those of the list, or the site could not run on the database. */
async function compare(
  archive: string,
  listed: Manifest,
  found: Readonly<Record<string, string>>,
  database: string,
): Promise<void> {
  const damaged = damagedBy(archive);
  for (const name of new Set([...Object.keys(listed.files), ...Object.keys(found)])) {
    if (listed.files[name] === undefined) throw damaged(`${name} is not on its list`);
    if (found[name] === undefined) throw damaged(`${name} is missing`);
    if (found[name] !== listed.files[name]) throw damaged(`${name} has changed since the backup`);
  }
  if (found[databaseName] === undefined) throw damaged(`${databaseName} is missing`);
  const { fault, schema, rows } = await withDatabase(database, async (client) => ({
    // Backups of earlier versions hold a search index that is malformed after an erasure.
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
    if (rows[table] !== count) throw damaged(`the table ${table} has ${rows[table] ?? 'no'} rows in place of ${count}`);
  }
}

/**
 * Makes a fresh copy of the database fit to be restored: without words that were erased but are still in the search index, and
 * with an index that passes the integrity check.
 */
async function prepareCopy(client: Client) {
  const schema = await schemaOf(client);
  const unmerged =
    schema >= 22 ? (await client.execute('SELECT 1 FROM search_deletions WHERE merged < deletions')).rows.length : 0;
  if (unmerged > 0 || (await integrityFault(client)) !== null) await rebuildSearch(client);
  const fault = await integrityFault(client);
  if (fault) {
    throw new BackupError(
      `The database is damaged ("${fault}"), so no backup was made. Restore the last good backup (docs/operate.md).`,
    );
  }
  const erasures = schema >= firstSchemaWithErasures ? await erasuresOf(client) : [];
  return { schema, rows: await rowsOf(client), erasures };
}

async function withDatabase<T>(file: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url: pathToFileURL(file).href, timeout: 30_000, concurrency: 1 });
  try {
    // What a rebuild frees is overwritten: it holds people's words.
    await client.execute('PRAGMA secure_delete = ON');
    return await work(client);
  } finally {
    client.close();
  }
}

async function integrityFault(client: Client): Promise<string | null> {
  const { rows } = await client.execute('PRAGMA integrity_check');
  const said = rows[0]?.[0];
  return said === 'ok' ? null : typeof said === 'string' ? said : 'nothing';
}

async function tablesOf(client: Client, condition: string): Promise<string[]> {
  const { rows } = await client.execute(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND ${condition}`,
  );
  return rows.map((row) => text(row.name));
}

/** Makes each full-text index from the rows that it is about. */
async function rebuildSearch(client: Client): Promise<void> {
  for (const words of await tablesOf(client, `type = 'virtual'`)) {
    await client.execute(`INSERT INTO "${words}" ("${words}") VALUES ('rebuild')`);
  }
}

async function schemaOf(client: Client): Promise<number> {
  const { rows } = await client.execute('SELECT max(id) AS id FROM migrations');
  return Number(rows[0]?.id);
}

async function rowsOf(client: Client): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const table of await tablesOf(client, `type = 'table'`)) {
    counted[table] = Number((await client.execute(`SELECT count(*) AS count FROM "${table}"`)).rows[0]?.count);
  }
  return counted;
}

async function readManifest(file: string): Promise<Manifest | null> {
  try {
    return manifest.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Links a file or a folder's files: a blob is never written in place. Copies them where the disk knows no links. */
async function linkAll(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isDirectory()) return await linkOne(from, to);
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(to, relative(from, entry.parentPath), entry.name);
    await mkdir(entry.isDirectory() ? path : dirname(path), { recursive: true });
    if (entry.isFile()) await linkOne(join(entry.parentPath, entry.name), path);
  }
}

async function linkOne(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch(() => copyFile(from, to));
  } catch (error) {
    // The site runs meanwhile: a blob that it deleted is in no later backup either.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function removeStaging(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (stagingNames.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function hashes(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    found[relative(folder, file).replaceAll('\\', '/')] = hash.digest('hex');
  }
  return found;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'This account may not write there',
  EPERM: 'This account may not write there',
  EROFS: 'The disk is read-only',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  ENOTDIR: 'A part of the path is not a folder',
  EBUSY: 'The folder is in use by another program',
  SQLITE_CORRUPT: 'The database is damaged: restore the last good backup (docs/operate.md)',
  SQLITE_NOTADB: 'The database is damaged: restore the last good backup (docs/operate.md)',
  SQLITE_FULL: 'The disk is full',
  SQLITE_BUSY: 'Another program has locked the database: try again',
};

function reasonOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return reasons[code] ?? reasons[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
}

/** Says in words what the disk refused. @throws {BackupError} */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (!reason || error instanceof BackupError) throw error;
    const { path } = error as NodeJS.ErrnoException;
    throw new BackupError(`${reason}${path ? `: ${path}` : ''}. Nothing was changed.`, { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
