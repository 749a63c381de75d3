import type { Config, Context } from '@netlify/functions';
import { keptDays } from '../../src/domain/retention.ts';
import { removeEndedSessions } from '../server/auth/sessions.ts';
import { deliver, resumeMail } from '../server/mail/deliver.ts';
import { watchFaults } from '../server/status/faults.ts';
import { emptySpool } from '../server/submissions/store-or-spool.ts';
import { type Job, runJobs } from '../server/jobs/jobs.ts';
import { within } from '../server/runtime/within.ts';
import { logError } from '../server/runtime/log.ts';
import { keepYear } from '../server/publishing/new-year.ts';
import { forgetOldNotices } from '../server/mail/notices.ts';
import { eraseOldApplications, repeatErasures } from '../server/submissions/personal-data.ts';
import { forgetOldPosts, publishScheduled } from '../server/posts/saving.ts';
import { type Services, services } from '../server/services.ts';
import { readTrustedClock } from '../server/jobs/trusted-clock.ts';

const day = 24 * 60 * 60_000;
/**
 * The time limit of the job that merges the search index. A function on Netlify may run for 30 seconds, and this job is
 * one of many.
 */
const mergeMs = 5_000;

/** The time limit of a whole run. Netlify would stop this function after 30 seconds. */
const runMs = 25_000;
/**
 * Shares of the run time. The jobs in `first` get `firstShare`. Recording the run and checking for problems, which are
 * the last steps, get `lastShare`. All other jobs get the rest.
 */
const firstShare = 0.16;
const lastShare = 0.3;

/**
 * Runs the scheduled work: publishes scheduled posts, moves waiting submissions from the blob store into the database,
 * sends due messages, and deletes expired data.
 */
export default async function everyMinute(
  _request: Request,
  context: Context,
  given?: Services,
  withinMs = runMs,
): Promise<void> {
  const provided = given ?? (await services(context));
  const { stores, webhook, now } = provided;
  const at = now();
  const ago = (ms: number, from = at) => new Date(from.getTime() - ms).toISOString();
  const began = performance.now();
  const left = () => Math.max(withinMs * (1 - lastShare) - (performance.now() - began), 0);
  let trusted: Date | null = null;
  /**
   * Wraps a job that deletes data by age. The job is skipped while the server's clock may be wrong (`trusted` is null),
   * because a clock that is ahead would make recent data look old.
   */
  const byAge = (run: (at: Date) => Promise<unknown>) => async (): Promise<void> => {
    if (trusted) await run(trusted);
  };
  // These jobs run before 'send emails' and the deletions. The clock check sets `trusted`, and the other jobs may add
  // messages to the outbox or make waiting messages due.
  const first: Record<string, Job> = {
    'check the clock': async () => {
      trusted = await readTrustedClock(provided);
    },
    'publish scheduled posts': () => publishScheduled(provided),
    'move waiting submissions': () => emptySpool(provided),
    // A server that hangs is a problem of the mail server, so this job ends before its time limit.
    'check a failing mail server': () => resumeMail(provided, withinMs * firstShare * 0.9),
  };
  const work: Record<string, Job> = {
    'send emails': () => deliver('mail', provided, left() * 0.9),
    'send chat messages': () => deliver('webhook', provided, left() * 0.9),
    'update the copyright year on the pages': () => keepYear(provided),
    'delete expired share links': () => stores.shareLinks.removeExpired(at.toISOString()),
    'delete ended sessions': () => removeEndedSessions(provided),
    'delete expired quota counts': () => stores.anonymousBytes.removeExpired(at.toISOString()),
    'delete expired uploads': () => stores.uploads.removeExpired(at.toISOString()),
    'delete old counts of sign-ins': () => stores.signInTries.removeEnded(at.toISOString()),
    'delete old posts from the trash': byAge(() => forgetOldPosts(provided)),
    'delete old files from the trash': byAge((time) => stores.media.removeTrash(ago(keptDays.formerFile * day, time))),
    'erase old applications': byAge((time) => eraseOldApplications(provided, time)),
    'erase personal data again after a restored backup': () => repeatErasures(provided),
    'remove erased text from the search index': () => stores.searchWords.merge(mergeMs),
    'delete messages to a removed webhook': async () => {
      if (!webhook.configured) await stores.outbox.forget('webhook');
    },
    'delete old notices': byAge(() => forgetOldNotices(provided)),
    'delete old activity': byAge((time) => stores.activity.removeBefore(ago(keptDays.activity * day, time))),
  };
  const outcomes = [
    ...(await runJobs(first, provided, withinMs * firstShare)),
    ...(await runJobs(work, provided, left())),
  ];
  const last = (withinMs * lastShare) / 2;
  await within(stores.jobs.ran(outcomes, at.toISOString()), last).catch((error: unknown) =>
    logError('run of the jobs not recorded', {}, error),
  );
  // The check for problems reports scheduled jobs that have not run for a while. It comes after this run is recorded.
  // Otherwise, the first run after a downtime would report that the jobs have stopped.
  await runJobs({ 'check for problems': () => watchFaults(provided) }, provided, last);
}

export const config: Config = { schedule: '* * * * *' };
