import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandError } from '../errors.ts';
import { databaseName } from './sqlite.ts';

/**
 * A list of the databases that existed. The file is in the project, so a loss of the data folder does not delete the
 * list.
 */
const knownDatabases = '.cache/known-databases';

/** Returns the path of the same note in the blob folder, for a project folder that is replaced. */
const noteIn = (dataDirectory: string): string => join(dataDirectory, 'blobs/has-database');

const databaseIn = (dataDirectory: string): string => resolve(dataDirectory, databaseName);

/**
 * Stops the start if the database or the files of an earlier start are missing, for example because a disk is not
 * mounted. Otherwise, the start would create an empty database or an empty folder, and new submissions would be stored
 * apart from the real data.
 * @throws {CommandError} with advice for the owner.
 */
export async function refuseLostData(dataDirectory: string): Promise<void> {
  const file = databaseIn(dataDirectory);
  const isNoted = existsSync(noteIn(dataDirectory));
  const hasDatabase = ((await stat(file).catch(() => null))?.size ?? 0) > 0;
  if (hasDatabase && isNoted) return;
  if (!isNoted && !(await isListed(file))) return;
  const what = hasDatabase
    ? `The folder ${join(dataDirectory, 'blobs')} with the uploaded files and resumes was emptied or replaced since an earlier start.`
    : `The database ${file} is missing. It existed at an earlier start.`;
  throw new CommandError(
    `${what}\n` +
      '  - If it is on another disk, mount the disk.\n' +
      '  - If it was moved or renamed, put it back.\n' +
      '  - If it is lost, restore the latest backup: npm run restore -- <archive>\n' +
      '  - To continue without it, start once with EMPTY_DATA=accept.',
  );
}

/** Notes that the database exists, in the project and in the blob folder. Skips a folder that is not writable. */
export async function noteData(dataDirectory: string): Promise<void> {
  const file = databaseIn(dataDirectory);
  await writeFile(noteIn(dataDirectory), `${file}\n`).catch(() => undefined);
  if (await isListed(file)) return;
  await mkdir(dirname(knownDatabases), { recursive: true }).catch(() => undefined);
  await appendFile(knownDatabases, `${file}\n`).catch(() => undefined);
}

async function isListed(file: string): Promise<boolean> {
  const list = await readFile(knownDatabases, 'utf8').catch(() => '');
  return list.split('\n').includes(file);
}
