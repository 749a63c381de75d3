import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Row } from '@libsql/client/http';
import type { ResumeKind } from '../../src/domain/submissions/application.ts';
import { sql, text } from '../../netlify/server/db/database.ts';
import { storeIn } from '../data/blobs.ts';
import { databaseName } from '../data/sqlite.ts';
import { CommandError, failStart } from '../errors.ts';
import { backupName, type Installation, ownInstallation, point, switchTo, targetOf } from '../versions.ts';
import { endSessions, linkAll, linkFile, manifestName, unpack, withDatabase, withStaging } from '../backups/archive.ts';
import { readArguments } from './command.ts';

const usage = `Switches back to the version before the last upgrade.

  npm run rollback            stops and explains if the earlier version cannot read the newer data
  npm run rollback -- --yes   then also restores the backup of the upgrade`;

/** The rows of the newer database that the backup does not have. */
type Newer = Readonly<Record<'submissions' | 'posts', Row[]>>;

async function main(): Promise<void> {
  const { values } = readArguments({ options: { yes: { type: 'boolean' } } }, usage);
  const site = await ownInstallation();
  const previous = targetOf(join(site.folder, 'previous'));
  // A rollback that was interrupted has changed the link `current` already.
  const from = previous === site.current ? targetOf(join(site.folder, 'rolling-back')) : site.current;
  if (previous === null || from === null) throw new CommandError('There is no earlier version.');
  const kept = await rollBack(site, from, previous, (words) => {
    if (!values.yes)
      throw new CommandError(`${words}\nNothing was changed. To continue, run: npm run rollback -- --yes`);
  });
  console.log(`${previous} is the current version.${site.runs ? '' : ' Start the site.'}${kept}`);
}

/**
 * Switches from a version to the version before its upgrade. If the upgrade has changed the schema of the database, restores
 * the backup of the upgrade, and keeps the newer database and a list of its newer rows. Uploaded files stay as they are, so
 * the site finds the erasures of personal data there, and repeats them within a minute.
 * @param confirm gets a sentence about the data that the earlier version will not have. Throws to stop. Undefined if the
 * newer version never became ready. Then only its code knows its tables, and there is no newer data to list.
 * @param database the database from right before the switch to the newer version. With this file, the rollback needs neither
 * the backup nor much free space.
 * @returns a sentence about the kept data, or an empty text.
 */
export async function rollBack(
  site: Installation,
  from: string,
  to: string,
  confirm?: (words: string) => void,
  database?: string,
): Promise<string> {
  const { folder, dataDirectory } = site;
  const live = join(dataDirectory, databaseName);
  const archive = join(from, backupName);
  let kept = '';
  await withStaging(dataDirectory, async (staging) => {
    const restored = database ?? join(staging, databaseName);
    if (database === undefined) await unpack(archive, staging, undefined, [databaseName, manifestName]);
    const isSameSchema = (await migrationsIn(restored)) === (await migrationsIn(live));
    if (!isSameSchema) {
      confirm?.(
        `${basename(to)} cannot read the newer database, so the rollback restores the backup from before the upgrade. ` +
          `The backup lacks ${countOf(await newerRows(live, restored))}, and every other change since the upgrade. ` +
          'The rollback first exports these inquiries, applications and posts, and keeps a copy of the newer database.',
      );
      if (database === undefined) await unpack(archive, staging, undefined);
      await endSessions(restored);
      kept = join(dataDirectory, `before-rollback-${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')}`);
    }
    await point(folder, 'rolling-back', from);
    const ready = await switchTo(site, to, async () => {
      if (isSameSchema) return;
      await mkdir(kept, { mode: 0o700 });
      if (confirm) await exportRows(await newerRows(live, restored), dataDirectory, kept);
      // If this process is killed, the data folder has a complete database at any time: the newer one, or the restored one
      // with its files. The write-ahead log of the newer one would damage the restored one.
      await linkAll(join(staging, 'blobs'), join(dataDirectory, 'blobs'));
      const [log] = await withDatabase(live, async (newer) => {
        // Visitors wait meanwhile.
        await newer.read(sql`PRAGMA busy_timeout = 5000`);
        return await newer.read(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
      });
      if (log?.busy !== 0)
        throw new CommandError(`Another program is reading ${live}. Stop that program, and try again.`);
      await linkFile(live, join(kept, databaseName));
      await rename(restored, live);
    });
    // Another rollback would lead to the newer version again.
    for (const link of ['previous', 'rolling-back']) await rm(join(folder, link), { force: true });
    if (!ready)
      throw new CommandError(
        `${to} is the current version, but it did not become ready within a minute. The log of the site shows the problem. ` +
          `Fix the problem. Until then, the process manager keeps restarting the site.${keptWords(kept, confirm !== undefined)}`,
      );
  });
  return keptWords(kept, confirm !== undefined);
}

function keptWords(kept: string, hasList: boolean): string {
  if (kept === '') return '';
  const list = hasList ? 'newer.json lists the submissions and posts that the backup does not have. ' : '';
  return `\nThe newer database is in ${kept}. ${list}This is personal data. Delete the folder when you no longer need it.`;
}

/** Returns the number of migrations that a database has. Their ids are not in the order in which they were added. */
async function migrationsIn(file: string): Promise<number> {
  const [found] = await withDatabase(file, (database) => database.read(sql`SELECT count(*) AS n FROM migrations`));
  return Number(found?.n);
}

/** Returns the submissions and the saved posts that only the newer database has. */
async function newerRows(newer: string, older: string): Promise<Newer> {
  return await withDatabase(older, async (database) => {
    await database.read(sql`ATTACH ${newer} AS newer`);
    return {
      submissions: await database.read(
        sql`SELECT * FROM newer.submissions WHERE id NOT IN (SELECT id FROM submissions)`,
      ),
      posts: await database.read(
        sql`SELECT * FROM newer.posts WHERE id || updated_at NOT IN (SELECT id || updated_at FROM posts)`,
      ),
    };
  });
}

function countOf({ submissions, posts }: Newer): string {
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  const applications = submissions.filter(({ kind }) => kind === 'application').length;
  return [
    `${count(submissions.length - applications, 'inquiry', 'inquiries')},`,
    `${count(applications, 'application', 'applications')} and`,
    count(posts.length, 'saved post', 'saved posts'),
  ].join(' ');
}

/** Writes the newer rows as JSON, and the resumes of the newer applications under the ids of the applications. */
async function exportRows({ submissions, posts }: Newer, dataDirectory: string, to: string): Promise<void> {
  const resumes = storeIn(join(dataDirectory, 'blobs'), 'resumes');
  const listed = submissions.map(({ fields, ...row }) => ({ ...row, fields: JSON.parse(text(fields)) as unknown }));
  await writeFile(join(to, 'newer.json'), JSON.stringify({ submissions: listed, posts }, null, 2), { mode: 0o600 });
  for (const { id, resume } of submissions) {
    if (resume === null) continue;
    const { kind } = JSON.parse(text(resume)) as { kind: ResumeKind };
    await linkFile(join(resumes, text(id)), join(to, 'resumes', `${text(id)}.${kind}`));
  }
}

if (import.meta.main) await main().catch(failStart);
