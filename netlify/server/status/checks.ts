import { randomUUID } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  type HealthPartName,
  type HealthReport,
  healthParts,
  notChecked,
} from '../../../src/domain/site/site-status.ts';
import { DatabaseFault, isDatabaseFault } from '../db/fault.ts';
import { isConfigured } from '../mail/deliver.ts';
import { lentPlatform } from '../platform.ts';
import { logError } from '../log.ts';
import { within } from '../time/within.ts';
import type { Services } from '../services.ts';
import type { Channel } from '../mail/add-messages.ts';
import type { LastRun, RunRecord } from './run-store.ts';

/** Scheduled work runs every minute. It counts as stopped, and a job as failing, after this time without success. */
const overdueMs = 5 * 60_000;
/** The time limit for checking one part. */
const probeMs = 5_000;

const megabyte = 1024 * 1024;
/** Limits of free disk space in bytes. Below `full` the site may lose submissions; below `low` it warns the admins. */
const diskFloors = { full: 50 * megabyte, low: 500 * megabyte } as const;

/** For each part of the site `ok`, or what happened and what to do. The text has no host names, numbers or secrets. */
export type HealthWords = Readonly<Record<HealthPartName, string>>;

/** Without these parts, the site cannot do its main work. */
const essential: readonly HealthPartName[] = ['database', 'blobs'];
const restart = 'On Netlify, turn on the scheduled function “every-minute.” On your own server, restart the site';
const diskFull = 'The disk is full, or almost full. Delete files on the server, or enlarge its disk now';

/** Checks every part, and writes nothing. The state of file storage comes from the last run of the scheduled work. */
export async function checkHealth(services: Services): Promise<HealthWords> {
  try {
    await within(services.database.check(), probeMs);
    const last = await within(services.stores.runs.last(), probeMs);
    return { database: 'ok', ...(await checkParts(services, last, last?.build ?? null)) };
  } catch (error) {
    const unknown = { blobs: notChecked, mail: notChecked, webhook: notChecked, schedule: notChecked };
    return {
      database: databaseWords(error),
      disk: await diskWords(services),
      backup: backupWords(),
      pages: pagesWords(),
      ...unknown,
    };
  }
}

/**
 * Checks every part except the database.
 * @param last the last run of the scheduled work.
 * @param build the last request for a build.
 */
export async function checkParts(
  services: Services,
  last: RunRecord | null,
  build: LastRun['build'],
): Promise<Omit<HealthWords, 'database'>> {
  const disk = await diskWords(services);
  const [mail, webhook, schedule] = await within(
    Promise.all([channelWords('mail', services), channelWords('webhook', services), scheduleWords(last, services)]),
    probeMs,
  );
  const pages = pagesWords(build === 'failed' && services.env.BUILD_HOOK_URL !== undefined);
  return { blobs: last?.files ?? 'ok', disk, mail, webhook, schedule, backup: backupWords(), pages };
}

export function reportOf(words: HealthWords): HealthReport {
  const fails = (part: HealthPartName) => words[part] !== 'ok';
  const stops = essential.some((part) => fails(part) && words[part] !== notChecked) || words.disk === diskFull;
  const status = stops ? 'failing' : healthParts.some(fails) ? 'degraded' : 'ok';
  return { status, version: packageJson.version, ...words };
}

/** Logs an error of the database, and returns what the report says. The error itself may contain host names. */
export function databaseWords(error: unknown): string {
  logError('database does not work', {}, error);
  return (isDatabaseFault(error) ? error : new DatabaseFault('unreachable')).message;
}

/** Writes, reads and deletes a test file. */
export async function fileWords({ blobs }: Services): Promise<string> {
  try {
    const store = blobs('health');
    const key = `probe-${randomUUID()}`;
    const probe = async () => {
      await store.set(key, key);
      const read = await store.get(key, { type: 'text' });
      await store.delete(key);
      if (read !== key) throw new Error('the test file was not read back');
    };
    await within(probe(), probeMs);
    return 'ok';
  } catch (error) {
    logError('file storage does not work', {}, error);
    return 'File storage does not work, so files cannot be uploaded or shown. See the server log for the reason';
  }
}

async function diskWords({ freeBytes }: Services): Promise<string> {
  try {
    const free = (await freeBytes()) ?? Infinity;
    if (free < diskFloors.full) return diskFull;
    return free < diskFloors.low ? 'The disk is almost full. Delete files on the server, or enlarge its disk' : 'ok';
  } catch (error) {
    logError('disk does not work', {}, error);
    return 'The disk does not respond. See the server log for the reason';
  }
}

function backupWords(): string {
  const state = lentPlatform()?.backups?.state();
  if (state?.fails) {
    return 'The last nightly backup failed. The site tries again every hour. Check BACKUP_DIR or BACKUP_URL, and see the server log for the reason';
  }
  return state?.rehearsal?.error
    ? 'The last test restore of a backup failed. The site tries again after the next backup. See the reason under Settings > Site status'
    : 'ok';
}

function pagesWords(hookFails = false): string {
  const hookFault =
    'Netlify did not accept the last request to rebuild the site, so some pages still contain old text. The site tries again after ten minutes. Check BUILD_HOOK_URL, and see the server log for the reason';
  return lentPlatform()?.buildFault ?? (hookFails ? hookFault : 'ok');
}

async function channelWords(channel: Channel, services: Services): Promise<string> {
  if (!isConfigured(channel, services)) return 'ok';
  const state = await services.stores.outbox.state(channel, services.now());
  if (state.failingSince !== null || state.stuck > 0) {
    return channel === 'mail'
      ? 'The mail server does not accept emails from the site. The site keeps trying. Check the mail server and the mailboxes, and send a test email under Settings > Site status'
      : 'The team chat does not accept messages. The site keeps trying. Check the team chat and NOTIFY_WEBHOOK_URL';
  }
  if (state.overdue > 0) return `Messages have been waiting to be sent for more than five minutes. ${restart}`;
  if (state.failed === 0) return 'ok';
  return channel === 'mail'
    ? 'Emails to the firm could not be delivered. Select “Send all failed emails again” under Settings > Site status'
    : 'A message to the team chat could not be delivered. To send the message again, open the submission marked “Delivery failed” under Contact Submissions';
}

async function scheduleWords(last: RunRecord | null, { stores, now }: Services): Promise<string> {
  const limit = new Date(now().getTime() - overdueMs).toISOString();
  if (!last) {
    return (await stores.runs.expectedSince()) < limit ? `The background tasks have never run. ${restart}` : 'ok';
  }
  if (last.ranAt < limit) return `The background tasks have not run for five minutes. ${restart}`;
  const failing = Object.entries(last.failing).flatMap(([name, since]) => (since < limit ? `“${name}”` : []));
  return failing.length === 0
    ? 'ok'
    : `These background tasks are failing: ${failing.join(', ')}. See the server log for the reason`;
}
