import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { logError, logInfo } from '../netlify/server/log.ts';
import type { Backups } from '../netlify/server/platform.ts';

const minuteMs = 60_000;
/** The pause after an attempt. Less than an hour, so an attempt starts in each hour of the day. */
const pauseMs = 55 * minuteMs;
/** A backup that takes longer has probably lost its disk. */
const longestMs = 120 * minuteMs;

/** What host/commands/nightly.ts prints. */
export interface NightlyReport extends Omit<ReturnType<Backups['state']>, 'fails'> {
  /** Whether this run made a backup. */
  readonly made: boolean;
}

/**
 * Backs up every night, and now if there is no backup of the last 26 hours. Each attempt is a process of its own
 * (host/commands/nightly.ts) with a low priority, so no visitor waits. There is at most one attempt an hour, by a clock that
 * nobody sets, so neither a backup that fails nor a wrong clock fills the disk or replaces the backups of earlier nights.
 */
export function nightlyBackup() {
  const stopped = new AbortController();
  let failed = false;
  let last: Omit<NightlyReport, 'made'> = { newestAt: null, rehearsal: null };

  const run = async (): Promise<void> => {
    try {
      const attempt = promisify(execFile)(process.execPath, ['host/commands/nightly.ts'], {
        timeout: longestMs,
        signal: stopped.signal,
      });
      if (attempt.child.pid !== undefined) setPriority(attempt.child.pid, 10);
      const report = JSON.parse((await attempt).stdout) as NightlyReport;
      if (report.made) logInfo('backup made', {});
      if (report.rehearsal?.error && report.rehearsal.at !== last.rehearsal?.at) {
        logError('test restore failed', {}, new Error(report.rehearsal.error));
      }
      last = report;
      failed = false;
    } catch (error) {
      if (stopped.signal.aborted) return;
      failed = true;
      const { stderr, message } = error as { stderr?: string; message: string };
      logError('backup failed', {}, new Error(stderr?.trim() || message));
    }
  };

  return {
    state: (): ReturnType<Backups['state']> => ({ ...last, fails: failed }),
    async start(): Promise<void> {
      while (!stopped.signal.aborted) {
        await run();
        await sleep(pauseMs, undefined, { ref: false });
      }
    },
    /** Ends a backup that is in progress, before the process ends. */
    stop: (): void => stopped.abort(),
  };
}
