import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The database is missing, but existed at an earlier start. The message tells the owner what to do. */
class LostDataError extends Error {
  override readonly name = 'LostDataError';
}

/**
 * A folder of notes about databases that existed. The folder is in the project, so a loss of the data folder does not
 * delete the notes.
 */
const notesFolder = '.cache/databases';
/** Maximum number of notes. Tests and trials create many databases, so the oldest notes are deleted. */
const mostNotes = 100;

interface Places {
  /** The absolute path of the database file. */
  readonly file: string;
  readonly blobs: string;
}

const marksOf = ({ file, blobs }: Places): string[] => [
  join(notesFolder, createHash('sha256').update(file).digest('hex').slice(0, 32)),
  join(blobs, 'has-database'),
];

/**
 * Stops the start if the database of an earlier start is missing, for example because its disk is not mounted.
 * Otherwise, the start would create an empty database, and new submissions would be stored apart from the real data.
 * @param accepted true if the owner wants to begin with an empty site.
 * @throws {LostDataError}
 */
export async function refuseLostData(places: Places, accepted: boolean): Promise<void> {
  if (accepted || (await sizeOf(places.file)) > 0) return;
  for (const mark of marksOf(places)) {
    if ((await sizeOf(mark)) < 0) continue;
    throw new LostDataError(
      `The database ${places.file} is missing. It existed at an earlier start.\n` +
        '  - If the database is on another disk, mount the disk.\n' +
        '  - If the file was moved or renamed, put it back.\n' +
        '  - If the file is lost, restore the latest backup: npm run restore -- <archive>\n' +
        '  - To begin with an empty site, start once with EMPTY_DATA=accept.',
    );
  }
}

/**
 * Records the existence of the database in the project's folder and in the blob folder. Skips a folder that is not
 * writable.
 */
export async function noteData(places: Places): Promise<void> {
  await mkdir(notesFolder, { recursive: true }).catch(() => undefined);
  for (const mark of marksOf(places)) await writeFile(mark, `${places.file}\n`).catch(() => undefined);
  const notes = await readdir(notesFolder).catch(() => []);
  if (notes.length <= mostNotes) return;
  const dated = await Promise.all(
    notes.map(async (name) => ({
      name,
      at: await stat(join(notesFolder, name)).then(
        (s) => s.mtimeMs,
        () => 0,
      ),
    })),
  );
  dated.sort((a, b) => b.at - a.at);
  for (const { name } of dated.slice(mostNotes)) await rm(join(notesFolder, name), { force: true });
}

/** Returns the size of a file in bytes, or -1 if the file does not exist. */
async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => -1,
  );
}
