import { randomUUID } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import { type HealthPartName, type HealthReport, healthParts, notChecked } from '../../../src/domain/health.ts';
import type { SiteStatus } from '../../../src/domain/site-status.ts';
import { site } from '../../../src/site.config.ts';
import { isDatabaseFault } from '../db/fault.ts';
import { acknowledgmentsResentMs, isConfigured } from '../mail/deliver.ts';
import { within } from '../runtime/within.ts';
import { logError } from '../runtime/log.ts';
import { lentPlatform } from '../platform/platform.ts';
import type { Services } from '../services.ts';
import type { Channel } from '../mail/outbox.ts';

/** Scheduled work runs every minute. It counts as stopped after this time without a run. */
const overdueMs = 5 * 60_000;
/**
 * A message to the firm that is still refused after this time is a fault. By then, the site has tried twice, which is
 * enough for a mail server that refuses every first try (greylisting).
 */
const stuckMs = 4 * 60_000;
/** A message whose next try is further away than this was refused permanently, or often. */
const refusedWaitMs = 20 * 60_000;
/** A channel must fail for this time to be a fault, so a failure followed by a successful retry is not one. */
const failingMs = 60_000;
/** The time limit for checking one part. */
const probeMs = 5_000;
/** The report is cached for this time, because anyone may request it. */
const cachedMs = 5_000;

const megabyte = 1024 * 1024;
/** Limits of free disk space in bytes. Below `full` the site may lose submissions; below `low` it warns the admins. */
const diskFloors = { full: 50 * megabyte, low: 500 * megabyte } as const;

/** The state of one part of the site. */
export interface HealthPart {
  /** `ok`, or what happened and what to do. The text contains no host names and no secrets. */
  readonly words: string;
  /** True if the site cannot work until the problem is solved. */
  readonly stops: boolean;
}

type HealthParts = Readonly<Record<HealthPartName, HealthPart>>;

const fine: HealthPart = { words: 'ok', stops: false };
const stopped = (words: string): HealthPart => ({ words, stops: true });
const degraded = (words: string): HealthPart => ({ words, stops: false });

const checking = new WeakMap<Services, Promise<HealthParts>>();
const cached = new WeakMap<Services, { readonly at: number; readonly report: HealthReport }>();

/** Checks every part by using it. Simultaneous calls share one check. */
export function checkHealth(services: Services): Promise<HealthParts> {
  const current = checking.get(services);
  if (current) return current;
  const check = checkParts(services).finally(() => checking.delete(services));
  checking.set(services, check);
  return check;
}

async function checkParts(services: Services): Promise<HealthParts> {
  const [database, disk] = await Promise.all([databaseHealth(services), diskHealth(services)]);
  const pages = pagesHealth();
  if (database.words !== 'ok') {
    const unknown = { words: notChecked, stops: false };
    const blobs = await blobHealth(services, null);
    return { database, blobs, disk, mail: unknown, webhook: unknown, schedule: unknown, posts: unknown, pages };
  }
  const checks = {
    blobs: () => blobHealth(services, services.stores.sentinel),
    mail: () => outboxHealth('mail', services),
    webhook: () => outboxHealth('webhook', services),
    schedule: () => scheduleHealth(services),
    posts: () => postsHealth(services),
  };
  const [blobs, mail, webhook, schedule, posts] = await Promise.all([
    checks.blobs(),
    probe('database', services, checks.mail, 'mail'),
    probe('database', services, checks.webhook, 'webhook'),
    probe('database', services, checks.schedule, 'schedule'),
    probe('database', services, checks.posts, 'posts'),
  ]);
  return { database, blobs, disk, mail, webhook, schedule, posts, pages };
}

/**
 * Returns the report of {@link checkHealth}, at most five seconds old, so a flood of requests causes only one check.
 */
export async function healthOf(services: Services): Promise<HealthReport> {
  const at = services.now().getTime();
  const kept = cached.get(services);
  if (kept && at - kept.at >= 0 && at - kept.at < cachedMs) return kept.report;
  const report = reportOf(await checkHealth(services));
  cached.set(services, { at, report });
  return report;
}

function reportOf(parts: HealthParts): HealthReport {
  const all = Object.values(parts);
  const status = all.some(({ stops }) => stops)
    ? 'failing'
    : all.every(({ words }) => words === 'ok')
      ? 'ok'
      : 'degraded';
  const words = Object.fromEntries(healthParts.map((name) => [name, parts[name].words])) as Record<
    HealthPartName,
    string
  >;
  return { status, version: packageJson.version, ...words };
}

/** Returns the current report with its numbers, for admins. */
export async function siteStatusOf(services: Services): Promise<SiteStatus> {
  const { stores, mailer, webhook, now } = services;
  const limit = ago(now(), overdueMs);
  const outbox = async (channel: Channel) => {
    const [{ stuck: _, ...counts }, { failingSince, error, succeededAt }] = await Promise.all([
      tallyOf(channel, services),
      stores.outbox.channel(channel),
    ]);
    return { ...counts, failingSince, error: error ?? counts.error, succeededAt };
  };
  const [parts, mails, chat, posts, jobs] = await Promise.all([
    checkHealth(services),
    outbox('mail'),
    outbox('webhook'),
    stores.posts.scheduleTally(limit),
    stores.jobs.list(),
  ]);
  const report = reportOf(parts);
  cached.set(services, { at: now().getTime(), report });
  return {
    health: report,
    mail: { configured: mailer.configured, ...mails },
    webhook: { configured: webhook.configured, ...chat },
    posts,
    jobs: jobs.map((job) => ({ ...job, overdue: (job.succeededAt ?? '') < limit })),
  };
}

/** Formats a time for people at the firm: `Mar 2, 10:30 AM PST`. */
export function timeText(iso: string): string {
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: site.timeZone,
    timeZoneName: 'short',
  })
    .format(new Date(iso))
    .replaceAll('\u202f', ' ');
}

async function databaseHealth(services: Services): Promise<HealthPart> {
  return await probe('database', services, async () => {
    await services.database.check();
    return fine;
  });
}

/**
 * Writes, reads and deletes a test blob. The sentinel (stores/sentinel.ts) detects a blob store that works but has lost
 * its contents, because of an emptied folder, a disk that was not mounted, or another store under the same name.
 * @param sentinel null while the database, which has the expected value, does not work.
 */
async function blobHealth(services: Services, sentinel: Services['stores']['sentinel'] | null): Promise<HealthPart> {
  return await probe('file storage', services, async () => {
    const store = services.blobs('health');
    const key = `probe-${randomUUID()}`;
    await store.set(key, key);
    const read = await store.get(key, { type: 'text' });
    await store.delete(key);
    if (read !== key)
      return stopped(
        'The site wrote a test file to file storage and could not read it back. See the server log for details.',
      );
    if (!sentinel || (await sentinel.matches(store))) return fine;
    return degraded(
      'The uploaded files are missing. File storage was emptied, moved or replaced. Put the folder with the uploaded files back, or restore the latest backup',
    );
  });
}

async function diskHealth(services: Services): Promise<HealthPart> {
  const freeBytes = lentPlatform()?.freeBytes;
  if (!freeBytes) return fine;
  return await probe('disk', services, async () => {
    const free = await freeBytes();
    if (free >= diskFloors.low) return fine;
    const left = `${Math.floor(free / megabyte)} MB`;
    return free < diskFloors.full
      ? stopped(`The disk has only ${left} left, which is too little. Free space on the server or enlarge its disk now`)
      : degraded(`The disk is almost full, with ${left} left. Free space on the server or enlarge its disk`);
  });
}

function pagesHealth(): HealthPart {
  const fault = lentPlatform()?.buildFault;
  return fault ? degraded(fault) : fine;
}

async function tallyOf(channel: Channel, { stores, now }: Services) {
  const at = now();
  return await stores.outbox.tally(channel, {
    overdueBefore: ago(at, overdueMs),
    triedBefore: ago(at, stuckMs),
    nextTryAfter: ago(at, -refusedWaitMs),
    acknowledgedAfter: ago(at, acknowledgmentsResentMs),
  });
}

async function outboxHealth(channel: Channel, services: Services): Promise<HealthPart> {
  // A channel that is not configured has nothing to send.
  if (!isConfigured(channel, services)) return fine;
  const { stores, now } = services;
  const at = now();
  const [tally, { failingSince }] = await Promise.all([tallyOf(channel, services), stores.outbox.channel(channel)]);
  const [what, whose] =
    channel === 'mail' ? ['Email', 'the mail server'] : ['The team chat', 'the team chat and NOTIFY_WEBHOOK_URL'];
  if (failingSince !== null && Math.abs(at.getTime() - Date.parse(failingSince)) >= failingMs) {
    return degraded(`${what} has been failing since ${timeText(failingSince)}. The site keeps trying. Check ${whose}`);
  }
  if (tally.stuck > 0) {
    return degraded(
      channel === 'mail'
        ? 'The mail server refuses emails to the firm. The site keeps trying. Check the mailbox and the mail server'
        : 'A message to the team chat has been refused for several minutes. The site keeps trying. Check the team chat and NOTIFY_WEBHOOK_URL',
    );
  }
  if (tally.overdue > 0)
    return degraded(
      `${channel === 'mail' ? 'Emails' : 'Chat messages'} have been waiting to be sent for more than five minutes. Check the background tasks`,
    );
  if (tally.failed === 0) return fine;
  return degraded(
    channel === 'mail'
      ? 'Emails to the firm could not be delivered. Select “Send all failed emails again” under Settings > Site status'
      : 'A message to the team chat could not be delivered. To send it again, open its inquiry or application under Contact Submissions',
  );
}

async function postsHealth({ stores, now }: Services): Promise<HealthPart> {
  const { overdue } = await stores.posts.scheduleTally(ago(now(), overdueMs));
  return overdue > 0 ? degraded('A scheduled post is more than five minutes late. Check the background tasks') : fine;
}

async function scheduleHealth({ stores, now }: Services): Promise<HealthPart> {
  const limit = ago(now(), overdueMs);
  const jobs = await stores.jobs.list();
  if (jobs.length === 0) {
    return (await stores.jobs.expectedSince()) < limit
      ? degraded(
          'The background tasks have never run. On Netlify, turn on the scheduled function “every-minute.” On your own server, restart the site',
        )
      : fine;
  }
  if (jobs.every((job) => job.ranAt < limit)) {
    return degraded('The background tasks have not run for five minutes. Restart the site');
  }
  return jobs.some((job) => (job.succeededAt ?? '') < limit)
    ? degraded('Some background tasks fail. See the server log for the reason')
    : fine;
}

function ago(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}

/** Probes that are still running. A probe that hangs is not started again. */
const hanging = new WeakMap<Services, Set<string>>();

/**
 * Runs a probe. An error or a timeout is a fault. The report does not show the error's message, because it may contain
 * host names. The message is logged.
 */
async function probe(
  what: string,
  services: Services,
  work: () => Promise<HealthPart>,
  name = what,
): Promise<HealthPart> {
  const pending = hanging.get(services) ?? new Set();
  hanging.set(services, pending);
  const silent = stopped(`The ${what} does not respond. See the server log for the reason`);
  if (pending.has(name)) return silent;
  pending.add(name);
  try {
    return await within(
      work().finally(() => pending.delete(name)),
      probeMs,
    );
  } catch (error) {
    logError(`${what} does not work`, {}, error);
    return isDatabaseFault(error) ? stopped(error.message) : silent;
  }
}
