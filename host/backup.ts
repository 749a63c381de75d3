import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createClient } from '@libsql/client';
import * as tar from 'tar';
import * as z from 'zod/mini';

/** What of the data folder is kept beside the database. */
const kept = ['blobs', 'session-secret'];
const manifestName = 'manifest.json';

/** Stands in every archive: what it must hold, so that a damaged one is found before anything is put back. */
const manifest = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  /** SHA-256 in hex by path. */
  files: z.record(z.string(), z.string()),
});

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
 * @param archive where to; nothing is there before the archive is whole.
 * @throws {BackupError} where there is nothing to keep, or something is in the way.
 */
export async function backUp(dataDirectory: string, archive: string, now = new Date()): Promise<BackupFacts> {
  const database = join(dataDirectory, 'site.db');
  if (!(await exists(database))) throw new BackupError(`There is no database in ${dataDirectory}.`);
  if (await exists(archive)) throw new BackupError(`${archive} is there already. Please name another file.`);
  await mkdir(dirname(resolve(archive)), { recursive: true });
  const staging = await mkdtemp(join(dirname(resolve(archive)), '.backup-'));
  try {
    const client = createClient({ url: pathToFileURL(database).href, timeout: 30_000 });
    try {
      await client.execute({ sql: 'VACUUM INTO ?', args: [join(staging, 'site.db')] });
    } finally {
      client.close();
    }
    for (const name of kept) {
      if (await exists(join(dataDirectory, name))) {
        await cp(join(dataDirectory, name), join(staging, name), { recursive: true });
      }
    }
    const facts = { createdAt: now.toISOString(), files: await hashes(staging) };
    await writeFile(join(staging, manifestName), JSON.stringify({ format: 1, ...facts }, null, 2));
    const unfinished = `${archive}.unfinished`;
    await tar.create({ gzip: true, cwd: staging, file: unfinished, portable: true, mode: 0o600 }, ['.']);
    await rename(unfinished, archive);
    return { createdAt: facts.createdAt, files: Object.keys(facts.files).length };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Puts an archive of {@link backUp} back. It is unpacked beside its place, every file compared with the archive's own list and
 * the database checked, and only then moved there. The site must not run.
 * @throws {BackupError} where the archive is damaged, or the folder holds data: that is never overwritten.
 */
export async function restore(archive: string, dataDirectory: string): Promise<BackupFacts> {
  if (!(await exists(archive))) throw new BackupError(`There is no file ${archive}.`);
  if ((await readdir(dataDirectory).catch(() => [])).length > 0) {
    throw new BackupError(
      `${dataDirectory} holds data, which a restore never overwrites. Move it away first: mv ${dataDirectory} ${dataDirectory}.old`,
    );
  }
  await mkdir(dirname(resolve(dataDirectory)), { recursive: true });
  const staging = await mkdtemp(join(dirname(resolve(dataDirectory)), '.restore-'));
  try {
    const damaged = (what: string) => new BackupError(`${archive} cannot be restored: ${what}. Nothing was changed.`);
    await tar.extract({ file: archive, cwd: staging, strict: true, noChmod: true }).catch((error: unknown) => {
      throw damaged(error instanceof Error ? error.message : 'it is no archive');
    });
    const listed = await readManifest(join(staging, manifestName));
    if (!listed) throw damaged('it has no list of its files that can be read');
    await rm(join(staging, manifestName));
    const found = await hashes(staging);
    for (const name of new Set([...Object.keys(listed.files), ...Object.keys(found)])) {
      if (listed.files[name] === undefined) throw damaged(`${name} is not on its list`);
      if (found[name] === undefined) throw damaged(`${name} is missing`);
      if (found[name] !== listed.files[name]) throw damaged(`${name} is not as it was`);
    }
    const fault = await integrityFault(join(staging, 'site.db'));
    if (fault) throw damaged(`the database says '${fault}'`);
    await rm(dataDirectory, { recursive: true, force: true });
    await rename(staging, dataDirectory);
    return { createdAt: listed.createdAt, files: Object.keys(found).length };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function readManifest(file: string): Promise<z.infer<typeof manifest> | null> {
  try {
    return manifest.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

async function integrityFault(database: string): Promise<string | null> {
  const client = createClient({ url: pathToFileURL(database).href });
  try {
    const { rows } = await client.execute('PRAGMA integrity_check');
    const said = rows[0]?.[0];
    return said === 'ok' ? null : typeof said === 'string' ? said : 'nothing';
  } finally {
    client.close();
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

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
