import type { Config, Context } from '@netlify/functions';
import { formerFilesKeptDays } from '../../src/domain/media.ts';
import { emptyApplicationSpool } from '../server/applications.ts';
import { removeEndedSessions } from '../server/auth/sessions.ts';
import { deliver } from '../server/deliver.ts';
import { emptyInquirySpool } from '../server/inquiries.ts';
import { logError } from '../server/log.ts';
import { forgetOldNotices } from '../server/notices.ts';
import { eraseOldApplications, repeatErasures } from '../server/personal-data.ts';
import { forgetOldPosts, publishScheduled } from '../server/posts.ts';
import { type Services, services } from '../server/services.ts';
import { writeTrail } from '../server/trail.ts';
import { readTrustedClock } from '../server/trusted-clock.ts';

const day = 24 * 60 * 60_000;
/** A function on Netlify may run for 30 seconds, and this is one job of many. */
const mergeMs = 5_000;
const activityKeptMs = 2 * 365 * day;
/** The trail of an attack is kept so long, however much the attack adds to it. */
const activityNeverFlushedMs = 90 * day;

/**
 * The work that nobody asks for: posts whose time has come, what a lost database or blob store kept waiting, messages that
 * are due, things that expired.
 */
export default async function everyMinute(_request: Request, context: Context, given?: Services): Promise<void> {
  const provided = given ?? (await services(context));
  const { stores, webhook, now } = provided;
  const at = now();
  let trusted: Date | null = null;
  /** Work that deletes for good by age: only at a time that is trusted. */
  const byAge = (run: (at: Date) => Promise<unknown>) => async (): Promise<void> => {
    if (trusted) await run(trusted);
  };
  const work: Record<string, () => Promise<unknown>> = {
    'read the clock': async () => {
      trusted = await readTrustedClock(provided);
    },
    // Before anything that a mail server may hold up: people wait for it.
    'publish scheduled posts': () => publishScheduled(provided),
    'move inquiries that waited': () => emptyInquirySpool(provided),
    'move applications that waited': () => emptyApplicationSpool(provided),
    'deliver mail': () => deliver('mail', provided),
    'forget sessions': () => removeEndedSessions(provided),
    'forget passkey challenges': () => stores.passkeys.removeExpiredChallenges(at.toISOString()),
    'forget drafts': () => stores.formDrafts.removeExpired(at.toISOString()),
    'forget uploads': () => stores.uploads.removeExpired(at.toISOString()),
    'forget sign-ins': () => stores.signInAttempts.removeBefore(new Date(at.getTime() - day).toISOString()),
    'empty the trash of posts': byAge(() => forgetOldPosts(provided)),
    'forget deleted files': byAge((time) =>
      stores.media.removeTrash(new Date(time.getTime() - formerFilesKeptDays * day).toISOString()),
    ),
    'erase applications that were kept long enough': byAge((time) => eraseOldApplications(provided, time)),
    'repeat erasures after a restore': () => repeatErasures(provided),
    'take erased words out of the search': () => stores.searchWords.merge(mergeMs),
    'forget messages of a webhook that was taken away': async () => {
      if (!webhook.configured) await stores.outbox.forget('webhook');
    },
    'forget old notices': byAge(() => forgetOldNotices(provided)),
    'record refusals': () => writeTrail(provided),
    'forget old activity': byAge((time) =>
      stores.activity.removeBefore({
        old: new Date(time.getTime() - activityKeptMs).toISOString(),
        recent: new Date(time.getTime() - activityNeverFlushedMs).toISOString(),
      }),
    ),
    // The last, since a chat that does not answer takes its time.
    'deliver to the webhook': () => deliver('webhook', provided),
  };
  const outcomes: { name: string; succeeded: boolean }[] = [];
  for (const [name, run] of Object.entries(work)) {
    const succeeded = await run().then(
      () => true,
      (error: unknown) => {
        logError(`could not ${name}`, {}, error);
        return false;
      },
    );
    outcomes.push({ name, succeeded });
  }
  await stores.jobs
    .ran(outcomes, at.toISOString())
    .catch((error: unknown) => logError('could not note the run of the jobs', {}, error));
}

export const config: Config = { schedule: '* * * * *' };
