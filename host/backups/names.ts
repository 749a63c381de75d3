/** A staging folder or an unfinished file that has not changed for this many milliseconds was left by a killed command. */
export const abandonedMs = 24 * 60 * 60_000;

/** Matches the names of new backups, which contain the time in UTC. Sorting the names sorts the backups by time. */
const backupNames = /^backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz(?:\.age)?$/;

/** The ending of a backup that is being written. */
export const unfinishedEnding = '.unfinished';
export const unfinishedBackup = /^backup-[\d-]{17}\.tar\.gz(?:\.age)?\.unfinished$/;

export const endingOf = (key: string | undefined): string => (key === undefined ? '.tar.gz' : '.tar.gz.age');

const stemOf = (now: Date) => `backup-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`;

export const backupName = (now: Date, key: string | undefined): string => stemOf(now) + endingOf(key);

/**
 * Returns the names of backups, oldest first. Leaves out names that a wrong clock has put into the future: they would
 * count as the newest backups.
 */
export function pastBackups(names: readonly string[], now: Date): string[] {
  const latest = stemOf(now);
  return names.filter((name) => backupNames.test(name) && name.slice(0, latest.length) <= latest).sort();
}

/** Returns the time of a backup from its name. */
export function timeOf(backup: string): Date {
  const [, date, hours, minutes, seconds] = /^backup-(.{10})-(..)(..)(..)/.exec(backup) ?? [];
  return new Date(`${date}T${hours}:${minutes}:${seconds}Z`);
}
