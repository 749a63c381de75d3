import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The data folder held data at an earlier start and is empty now. The message says what to do. */
export class LostDataError extends Error {
  override readonly name = 'LostDataError';
}

/** Relative to the project's folder, so that it outlives the data. */
const notesFolder = '.cache/databases';
/** Tests and trials make many databases; notes of the oldest are removed. */
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
 * Refuses to make an empty database where an earlier start had one: a disk that is not mounted looks like a new site, and
 * everything that visitors send would be stored beside the real data.
 * @param accepted true where the owner wants to begin with an empty site.
 * @throws {LostDataError}
 */
export async function refuseLostData(places: Places, accepted: boolean): Promise<void> {
  if (accepted || (await sizeOf(places.file)) > 0) return;
  for (const mark of marksOf(places)) {
    if ((await sizeOf(mark)) < 0) continue;
    throw new LostDataError(
      `The database ${places.file} is missing, and an earlier start had it.\n` +
        '  - If it is on another disk, mount the disk.\n' +
        `  - If it was moved or saved under another name (${places.file}.rescued-…), put it back.\n` +
        '  - If it is lost, restore the latest backup: npm run restore -- <archive>\n' +
        '  - To begin with an empty site, start once with EMPTY_DATA=accept.',
    );
  }
}

/** Notes that there is a database, next to the project and among the blobs. A folder that cannot be written gets no note. */
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

/** In bytes; -1 where there is no such file. */
async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => -1,
  );
}
