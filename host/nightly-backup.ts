import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { logError, logInfo } from '../netlify/server/log.ts';
import type { Backups } from '../netlify/server/platform.ts';
import { site } from '../src/site.config.ts';
import { newestBackup } from './commands/backup.ts';
import { everyMinute } from './http/server.ts';

/** The hour of the backup, in the firm's time zone. */
const hourOfBackup = 3;
/** The number of backups that are kept. */
const kept = 14;
const hourMs = 60 * 60_000;

/**
 * Backs up into a folder every night, and now if there is no backup of the last 26 hours. Each backup runs in a process of
 * its own with a low priority, so no visitor waits. A backup that fails is repeated every hour.
 * @param folder `BACKUP_DIR`.
 */
export function nightlyBackup(folder: string): Backups & { start(): void } {
  let failedAt: number | null = null;
  const newest = () => newestBackup(folder).catch(() => null);

  const run = async (): Promise<void> => {
    const now = new Date();
    if (failedAt !== null && Math.abs(now.getTime() - failedAt) < hourMs) return;
    if (!isDue(await newest(), now)) return;
    const backup = spawn(process.execPath, ['host/commands/backup.ts', '--keep', String(kept), folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (backup.pid !== undefined) setPriority(backup.pid, 10);
    const ended = once(backup, 'close') as Promise<[number | null]>;
    const [said, [code]] = await Promise.all([text(backup.stderr), ended]);
    failedAt = code === 0 ? null : now.getTime();
    if (code === 0) logInfo('backup made', {});
    else logError('backup failed', {}, new Error(said.trim()));
  };

  return {
    newestAt: async () => (await newest())?.toISOString() ?? null,
    fails: () => failedAt !== null,
    start() {
      const first = run().catch((error: unknown) => logError('backup failed', {}, error));
      everyMinute('nightly backup', () => first.then(run));
    },
  };
}

/** A backup is due at night, and at any time if there is none of the last night, for example after a long stop. */
function isDue(newest: Date | null, now: Date): boolean {
  if (newest === null) return true;
  const age = Math.abs(now.getTime() - newest.getTime()) / hourMs;
  const hour = Number(now.toLocaleTimeString('en-US', { timeZone: site.timeZone, hour: '2-digit', hourCycle: 'h23' }));
  return age >= 26 || (age >= 2 && hour === hourOfBackup);
}
