import { join } from 'node:path';
import { backupName, pastBackups, timeOf } from '../backups/names.ts';
import { lastRehearsal, rehearse } from '../backups/rehearsal.ts';
import { backupStore, prune } from '../backups/store.ts';
import type { NightlyReport } from '../nightly-backup.ts';
import { site } from '../../src/site.config.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { ownDataDirectory, removeStaging } from '../backups/archive.ts';
import { backUp } from './backup.ts';
import { saveErasures } from '../backups/erasures.ts';

/** The hour of the backup, in the firm's time zone. */
const hourOfBackup = 3;
/** The number of backups that are kept. */
const kept = 14;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/**
 * The site runs this command every hour, in a process of its own. Adds new erasures to the backups. Makes a backup if one
 * is due, and then rehearses a restore if there was none in the last month. Prints the state of the backups.
 */
async function main(): Promise<void> {
  const env = ownEnvironment();
  const dataDirectory = ownDataDirectory(env);
  const store = backupStore(env);
  if (!store) throw new CommandError('Set BACKUP_DIR or BACKUP_URL.');
  const now = new Date();
  // A command that was killed has left these. The site ends each run of this command after two hours.
  await removeStaging(dataDirectory, 3 * hourMs);
  let newest = pastBackups(await store.list(), now).at(-1);
  const made = isDue(newest === undefined ? null : timeOf(newest), now);
  if (made) {
    const name = (newest = backupName(now, env.BACKUP_KEY));
    await store.add((folder) => backUp(dataDirectory, join(folder, name), now, env.BACKUP_KEY));
    await prune(store, kept, now);
    if (isRehearsalDue(await lastRehearsal(dataDirectory), now)) {
      await rehearse(store, name, dataDirectory, env.BACKUP_KEY);
    }
  } else {
    await store.add((folder) => saveErasures(dataDirectory, folder, now));
  }
  const newestAt = timeOf(newest!).toISOString();
  const report: NightlyReport = { made, newestAt, rehearsal: await lastRehearsal(dataDirectory) };
  console.log(JSON.stringify(report));
}

/** A backup is due at night, and at any time if there is none of the last night, for example after a long stop. */
function isDue(newest: Date | null, now: Date): boolean {
  if (newest === null) return true;
  const age = (now.getTime() - newest.getTime()) / hourMs;
  const hour = Number(now.toLocaleTimeString('en-US', { timeZone: site.timeZone, hour: '2-digit', hourCycle: 'h23' }));
  return age >= 26 || (age >= 2 && hour === hourOfBackup);
}

/** A rehearsal is due every month, and after each backup while the last one failed. */
function isRehearsalDue(last: Awaited<ReturnType<typeof lastRehearsal>>, now: Date): boolean {
  // A wrong clock may have put the last rehearsal into the future.
  return last === null || last.error !== null || Math.abs(now.getTime() - Date.parse(last.at)) >= 30 * dayMs;
}

await main().catch(failStart);
