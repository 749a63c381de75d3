import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';
import { logError, logInfo } from '../netlify/server/log.ts';
import type { Backups } from '../netlify/server/platform.ts';
import { site } from '../src/site.config.ts';
import { everyMinute } from './http/server.ts';

/** Loads the code of backups after the start of the server, which does not need it. */
const newestBackup = async (folder: string): Promise<Date | null> =>
  await (await import('./commands/backup.ts')).newestBackup(folder);

/** The hour of the backup, in the firm's time zone. */
const hourOfBackup = 3;
/** The number of backups that are kept. */
const kept = 14;
const hourMs = 60 * 60_000;
/** A backup that takes longer has probably lost its disk. */
const longestMs = 2 * hourMs;
/** Without a backup for this time, the backups fail, even if no attempt has ended. */
const overdueMs = 50 * hourMs;

export interface NightlyBackup extends Backups {
  start(): void;
  /** Ends a backup that is in progress, before the process ends. */
  stop(): void;
}

/**
 * Backs up into a folder every night, and now if there is no backup of the last 26 hours. Each backup runs in a process of
 * its own with a low priority, so no visitor waits. There is at most one attempt an hour, so neither a backup that fails
 * nor a wrong clock fills the disk or replaces the backups of earlier nights.
 * @param folder `BACKUP_DIR`.
 */
export function nightlyBackup(folder: string): NightlyBackup {
  const stopped = new AbortController();
  let failed = false;
  let newest: Date | null = null;
  /** When this process last tried, by a clock that nobody sets. */
  let triedAt = -Infinity;

  const run = async (): Promise<void> => {
    newest = await newestBackup(folder).catch(() => null);
    if (performance.now() - triedAt < hourMs || !isDue(newest, new Date())) return;
    triedAt = performance.now();
    try {
      const backup = promisify(execFile)(
        process.execPath,
        ['host/commands/backup.ts', '--keep', String(kept), folder],
        { timeout: longestMs, signal: stopped.signal },
      );
      if (backup.child.pid !== undefined) setPriority(backup.child.pid, 10);
      await backup;
      failed = false;
      logInfo('backup made', {});
    } catch (error) {
      if (stopped.signal.aborted) return;
      failed = true;
      const { stderr, message } = error as { stderr?: string; message: string };
      logError('backup failed', {}, new Error(stderr?.trim() || message));
    }
    newest = await newestBackup(folder).catch(() => null);
  };

  return {
    newestAt: () => newest?.toISOString() ?? null,
    fails: () => failed || (newest !== null && Date.now() - newest.getTime() > overdueMs),
    start() {
      const first = run();
      everyMinute('nightly backup', () => first.then(run));
    },
    stop: () => stopped.abort(),
  };
}

/** A backup is due at night, and at any time if there is none of the last night, for example after a long stop. */
function isDue(newest: Date | null, now: Date): boolean {
  if (newest === null) return true;
  const age = (now.getTime() - newest.getTime()) / hourMs;
  const hour = Number(now.toLocaleTimeString('en-US', { timeZone: site.timeZone, hour: '2-digit', hourCycle: 'h23' }));
  return age >= 26 || (age >= 2 && hour === hourOfBackup);
}
