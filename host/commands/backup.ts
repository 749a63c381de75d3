import { existsSync, statSync } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import * as tar from 'tar';
import { sql } from '../../netlify/server/db/database.ts';
import { removeDeletedWords } from '../../netlify/server/db/search-index.ts';
import type { Env } from '../../netlify/server/env.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { writeArchive } from '../backups/encryption.ts';
import { backupName, backupStore, endingOf, folderStore } from '../backups/store.ts';
import { filesIn } from '../data/files-in.ts';
import { databaseName } from '../data/sqlite.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import {
  countRows,
  databaseSizeIn,
  linkAll,
  type Manifest,
  manifestName,
  ownDataDirectory,
  requireSpace,
  sizeOf,
  verify,
  withDatabase,
  withStaging,
} from '../backups/archive.ts';
import { readArguments } from './command.ts';
import { saveErasures } from '../backups/erasures.ts';

const usage = `Backs up everything that the site stores on this machine, or on Netlify if NETLIFY_SITE_ID, NETLIFY_AUTH_TOKEN and LIBSQL_URL
are set, in one file. The file .env is not included.

  npm run backup                   writes a backup to BACKUP_URL or BACKUP_DIR, or to this folder if neither is set;
                                   the site can keep running
  npm run backup -- <folder>       writes a new file in this folder, which is created if necessary
  npm run backup -- <file.tar.gz>  writes this file`;

/** A backup leaves this many bytes of the disk of the data to the site, which reports a full disk below 50 MB. */
const leftFree = 64 * 1024 ** 2;

/**
 * Writes the site's data into one compressed archive: the database and the blobs. The session secret is not included, so
 * a stolen backup does not open a session. The site may be running. Copies the database first, so the archive has every
 * file that the database refers to. Checks the finished archive as a restore would, before it reports success.
 * @param archive the path of the new file, which appears only when the archive is complete.
 * @param key `BACKUP_KEY`. If given, encrypts the archive.
 * @throws {CommandError} if the database is missing, the file exists, or the archive could not be restored.
 */
export async function backUp(dataDirectory: string, archive: string, now = new Date(), key?: string): Promise<void> {
  const database = join(dataDirectory, databaseName);
  if (!existsSync(database)) throw new CommandError(`There is no database in ${dataDirectory}.`);
  if (existsSync(archive)) throw new CommandError(`${archive} already exists. Name another file.`);
  const target = dirname(resolve(archive));
  await mkdir(target, { recursive: true });
  await withStaging(target, async (folder) => {
    const unfinished = join(folder, basename(archive));
    await withStaging(dataDirectory, async (staging) => {
      const size = databaseSizeIn(dataDirectory);
      const isOnSameDisk = statSync(target).dev === statSync(dataDirectory).dev;
      const archiveSize = isOnSameDisk ? size + (await sizeOf(join(dataDirectory, 'blobs'))) : 0;
      await requireSpace(dataDirectory, size + archiveSize + leftFree, 'A backup');
      const copy = join(staging, databaseName);
      await withDatabase(database, (live) => live.read(sql`VACUUM INTO ${copy}`));
      // Removes the words of deleted rows from the copy.
      await withDatabase(copy, removeDeletedWords);
      await linkAll(join(dataDirectory, 'blobs'), join(staging, 'blobs'));
      const facts: Manifest = {
        format: 1,
        createdAt: now.toISOString(),
        version: packageJson.version,
        fileCount: (await filesIn(staging)).length,
        rows: await withDatabase(copy, countRows),
      };
      await writeFile(join(staging, manifestName), JSON.stringify(facts));
      const packed: unknown = tar.create({ gzip: true, cwd: staging, portable: true }, ['.']);
      await writeArchive(packed as AsyncIterable<Uint8Array>, unfinished, key);
    });
    await verify(unfinished, dataDirectory, key);
    await saveErasures(dataDirectory, target, now);
    await rename(unfinished, archive);
  });
}

async function main(): Promise<void> {
  const [given, ...rest] = readArguments({ allowPositionals: true }, usage).positionals;
  if (rest.length > 0) throw new CommandError(usage);
  const env = ownEnvironment();
  if (!env.NETLIFY_SITE_ID || !env.NETLIFY_AUTH_TOKEN) return await backUpTo(given, ownDataDirectory(env), env);
  const { copyFromNetlify } = await import('../backups/netlify.ts');
  await withStaging(tmpdir(), async (staging) => {
    await copyFromNetlify(env, staging);
    await backUpTo(given, staging, { ...env, DATA_DIR: staging });
  });
}

async function backUpTo(given: string | undefined, dataDirectory: string, env: Env): Promise<void> {
  const { BACKUP_KEY } = env;
  const now = new Date();
  const namesFile = given !== undefined && /\.(tar\.gz|tgz)(\.age)?$/.test(given);
  const file = namesFile ? basename(given) : backupName(now, BACKUP_KEY);
  if (file.endsWith('.age') !== (BACKUP_KEY !== undefined)) {
    throw new CommandError(
      `With BACKUP_KEY, the name of a backup must end in .tar.gz.age. Without BACKUP_KEY, the name must end in .tar.gz. Use a name that ends in ${endingOf(BACKUP_KEY)}.`,
    );
  }
  const store = (given === undefined && backupStore(env)) || folderStore(namesFile ? dirname(given) : (given ?? '.'));
  await store.add((to) => backUp(dataDirectory, join(to, file), now, BACKUP_KEY));
  console.log(`${join(store.name, file)} is complete. The backup was read back and can be restored.`);
  if (BACKUP_KEY === undefined) {
    console.log('The backup contains personal data and is not encrypted: keep it where only you can read it.');
  }
  console.log('Keep a copy of .env too, which is not in the backup.');
  const disk = await stat(store.name).catch(() => null);
  if (!env.NETLIFY_SITE_ID && disk?.dev === (await stat(dataDirectory)).dev) {
    console.warn(`Warning: ${store.name} is on the same disk as the data. If that disk fails, both are lost.`);
  }
}

if (import.meta.main) await main().catch(failStart);
