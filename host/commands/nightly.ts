import { join } from 'node:path';
import { lastRehearsal, rehearse, unfinished } from '../backups/rehearsal.ts';
import { backupName, backupStore, isBackup, pastBackups, prune, timeOf } from '../backups/store.ts';
import type { NightlyReport } from '../nightly-backup.ts';
import type { Rehearsal } from '../../src/domain/site/site-status.ts';
import { site } from '../../src/site.config.ts';
import { ownEnvironment } from '../environment.ts';
import { CommandError, failStart } from '../errors.ts';
import { ownDataDirectory } from '../backups/archive.ts';
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
  const names = await store.list();
  const last = await lastRehearsal(dataDirectory);
  // The site rehearses its first backup. If there is no backup after that, the disk of the backups may not be mounted, and new
  // backups would fill another disk.
  if (last !== null && !names.some(isBackup)) {
    throw new CommandError(
      `The earlier backups are not in ${store.name}. If it is on another disk, mount the disk. If it is new, run: npm run backup`,
    );
  }
  const earlier = pastBackups(names, now).at(-1);
  const made = isDue(earlier === undefined ? null : timeOf(earlier), now);
  const newest = made ? backupName(now, env.BACKUP_KEY) : earlier!;
  await store.add(async (folder) => {
    if (made) await backUp(dataDirectory, join(folder, newest), now, env.BACKUP_KEY);
    else await saveErasures(dataDirectory, folder, now);
  });
  if (made) await prune(store, kept, now);
  if (isRehearsalDue(last, made, now)) await rehearse(store, newest, dataDirectory, env.BACKUP_KEY);
  const newestAt = timeOf(newest).toISOString();
  const report: NightlyReport = { made, newestAt, rehearsal: await lastRehearsal(dataDirectory) };
  console.log(JSON.stringify(report));
}

/** A backup is due at night, and at any time if there is none of the last night, for example after a long stop. */
export function isDue(newest: Date | null, now: Date): boolean {
  if (newest === null) return true;
  const age = (now.getTime() - newest.getTime()) / hourMs;
  const hour = Number(now.toLocaleTimeString('en-US', { timeZone: site.timeZone, hour: '2-digit', hourCycle: 'h23' }));
  return age >= 26 || (age >= 2 && hour === hourOfBackup);
}

/** A rehearsal is due every month, after each backup while the last one failed, and in an hour if the last one was killed. */
export function isRehearsalDue(last: Rehearsal | null, made: boolean, now: Date): boolean {
  if (last?.error === unfinished) return true;
  // A wrong clock may have put the last rehearsal into the future.
  return made && (!last || last.error !== null || Math.abs(now.getTime() - Date.parse(last.at)) >= 30 * dayMs);
}

if (import.meta.main) await main().catch(failStart);
