import packageJson from '../../package.json' with { type: 'json' };
import type { HealthReport } from '../../src/domain/health.ts';
import type { SiteStatus } from '../../src/domain/site-status.ts';
import { isConfigured } from './deliver.ts';
import { logError } from './log.ts';
import type { Services } from './services.ts';
import type { Channel } from './stores/outbox.ts';

/** What is due every minute, and was not done for so long, has stopped. */
const overdueMs = 5 * 60_000;

/** Whether the site does what it is for, in words that name no host and no secret: anybody may ask. */
export async function healthOf(services: Services): Promise<HealthReport> {
  const { stores, blobs } = services;
  const [database, blobStore] = await Promise.all([
    probe('database', () => stores.admins.first()),
    probe('blob store', () => blobs('health').get('probe')),
  ]);
  const unknown = 'not known while the database does not answer';
  const [mail, webhook, schedule, posts] =
    database === 'ok'
      ? await Promise.all([
          outboxHealth('mail', services),
          outboxHealth('webhook', services),
          scheduleHealth(services),
          postsHealth(services),
        ])
      : [unknown, unknown, unknown, unknown];
  const serves = database === 'ok' && blobStore === 'ok';
  const goesOn = [mail, webhook, schedule, posts].every((part) => part === 'ok');
  return {
    status: !serves ? 'failing' : goesOn ? 'ok' : 'degraded',
    version: packageJson.version,
    database,
    blobs: blobStore,
    mail,
    webhook,
    schedule,
    posts,
  };
}

/** The same with the numbers behind it, for admins. */
export async function siteStatusOf(services: Services): Promise<SiteStatus> {
  const { stores, mailer, webhook, now } = services;
  const limit = overdueLimit(now());
  const [health, mails, chat, posts, policyReports, jobs] = await Promise.all([
    healthOf(services),
    stores.outbox.tally('mail', limit),
    stores.outbox.tally('webhook', limit),
    stores.posts.scheduleTally(limit),
    stores.policyReports.summary(3),
    stores.jobs.list(),
  ]);
  return {
    health,
    mail: { configured: mailer.configured, ...mails },
    webhook: { configured: webhook.configured, ...chat },
    posts,
    policyReports,
    jobs: jobs.map((job) => ({ ...job, overdue: (job.succeededAt ?? '') < limit })),
  };
}

const messages = { mail: 'mail', webhook: 'a message to the chat' } as const satisfies Record<Channel, string>;

async function outboxHealth(channel: Channel, services: Services): Promise<string> {
  // Where it is not set up nothing is meant to go out.
  if (!isConfigured(channel, services)) return 'ok';
  const { stores, now } = services;
  const { overdue, failed } = await stores.outbox.tally(channel, overdueLimit(now()));
  const what = messages[channel];
  if (overdue > 0) return `${what} has waited for more than five minutes after it was due`;
  return failed > 0 ? `${what} was given up; the inbox shows which, and sends it again` : 'ok';
}

async function postsHealth({ stores, now }: Services): Promise<string> {
  const { overdue } = await stores.posts.scheduleTally(overdueLimit(now()));
  return overdue > 0 ? 'a scheduled post should have been published more than five minutes ago' : 'ok';
}

async function scheduleHealth({ stores, now }: Services): Promise<string> {
  const limit = overdueLimit(now());
  const jobs = await stores.jobs.list();
  if (jobs.length === 0) {
    return (await stores.jobs.expectedSince()) < limit ? 'the work of every minute has never been done' : 'ok';
  }
  if (jobs.every((job) => job.ranAt < limit)) return 'the work of every minute is not being done';
  return jobs.some((job) => (job.succeededAt ?? '') < limit)
    ? 'some of the work of every minute fails; the server’s log says why'
    : 'ok';
}

function overdueLimit(now: Date): string {
  return new Date(now.getTime() - overdueMs).toISOString();
}

/** `ok`, or that it does not answer; why stands in the log, since it may name hosts. */
async function probe(what: string, work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'ok';
  } catch (error) {
    logError(`${what} does not answer`, {}, error);
    return `the ${what} does not answer; the server's log says why`;
  }
}
