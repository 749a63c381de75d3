import type { Config, Context } from '@netlify/functions';
import { keptDays } from '../../src/domain/retention.ts';
import { removeExpiredRows } from '../server/db/expired-rows.ts';
import { runJobs, type Job } from '../server/jobs.ts';
import { deliver, resumeMail } from '../server/mail/deliver.ts';
import { publishScheduled } from '../server/posts/saving.ts';
import { keepYear } from '../server/publishing/new-year.ts';
import { within } from '../server/within.ts';
import { type Services, services } from '../server/services.ts';
import { tellAdmins, watchDatabase } from '../server/status/alarms.ts';
import { checkWork, databaseWords, diskWords, fileWords, pagesWords } from '../server/status/checks.ts';
import type { RunRecord } from '../server/status/run-store.ts';
import { eraseOldApplications, repeatErasures } from '../server/submissions/personal-data.ts';
import { emptySpool } from '../server/submissions/store-or-spool.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** The time limit of the job that merges the search index. */
const mergeMs = 5_000;
/** The time limit of a whole run. Netlify would stop this function after 30 seconds. */
const runMs = 25_000;
/** Shares of the run time: for the jobs that come first, and for the checks that come last. All others get the rest. */
const firstShare = 0.16;
const lastShare = 0.3;

/** Services for which this process has already run the hourly jobs. */
const known = new WeakSet<Services>();

/**
 * Runs the scheduled work. Every minute, it publishes scheduled posts and sends due messages. Every hour, and when a
 * process starts, it deletes expired data and looks for work that another process left. In the minutes between, an idle
 * site reads few rows and no file.
 */
export default async function everyMinute(
  _request: Request,
  context: Context,
  given?: Services,
  withinMs = runMs,
): Promise<void> {
  const provided = given ?? (await services(context));
  const { stores } = provided;
  const began = performance.now();
  const left = () => Math.max(withinMs * (1 - lastShare) - (performance.now() - began), 0);
  const lastMs = (withinMs * lastShare) / 2;
  let hourly = false;
  try {
    const last = await within(stores.runs.last(), withinMs * firstShare);
    hourly = !known.has(provided) || isHourOver(last, provided) || Object.keys(last?.failing ?? {}).length > 0;
    const deleteFrom = deletionsFrom(last, provided.now());
    const first: Record<string, Job> = {
      'publish scheduled posts': () => publishScheduled(provided),
      ...((hourly || stores.spool.hasNew()) && { 'move waiting submissions': () => emptySpool(provided) }),
      'update the copyright year on the pages': () => keepYear(provided),
      // A server that hangs is a problem of the mail server, so this job ends before its time limit.
      'check a failing mail server': () => resumeMail(provided, withinMs * firstShare * 0.9),
    };
    const sending: Record<string, Job> = {
      'send emails': () => deliver('mail', provided, left() * 0.9),
      'send chat messages': () => deliver('webhook', provided, left() * 0.9),
    };
    const outcomes = await runJobs(first, provided, withinMs * firstShare);
    const [others, files] = await Promise.all([
      runJobs({ ...sending, ...(hourly && hourlyJobs(provided, deleteFrom)) }, provided, left()),
      hourly || last?.files !== 'ok' ? fileWords(provided) : 'ok',
    ]);
    const ranAt = provided.now().toISOString();
    const failed = [...outcomes, ...others].filter(({ succeeded }) => !succeeded).map(({ name }) => name);
    const failing = Object.fromEntries(failed.map((name) => [name, last?.failing[name] ?? ranAt]));
    const hourlyAt = hourly ? ranAt : last!.hourlyAt;
    const run = { ranAt, hourlyAt, deleteFrom, failing, files, faults: last?.faults ?? {} };
    await within(tellAndRecord(run, provided), lastMs);
    if (hourly) known.add(provided);
    await watchDatabase(null, hourly, provided);
  } catch (error) {
    known.delete(provided);
    await within(watchDatabase(databaseWords(error), hourly, provided), lastMs);
  }
}

function isHourOver(last: RunRecord | null, { now }: Services): boolean {
  return !last || Math.abs(now().getTime() - Date.parse(last.hourlyAt)) >= hour;
}

/**
 * Returns until when jobs that delete data wait, or an empty string. A clock that is ahead would make recent data look
 * old, so they wait for a day if the time is more than a day away from the last run.
 */
function deletionsFrom(last: RunRecord | null, at: Date): string {
  const jumped = last && Math.abs(at.getTime() - Date.parse(last.ranAt)) > day;
  return jumped ? new Date(at.getTime() + day).toISOString() : (last?.deleteFrom ?? '');
}

function hourlyJobs(provided: Services, deleteFrom: string): Record<string, Job> {
  const { database, stores, webhook, now } = provided;
  const at = now();
  const deletions: Record<string, Job> = {
    'delete expired data': () => removeExpiredRows(database, at),
    'delete expired uploads': () => stores.uploads.removeExpired(at.toISOString()),
    'delete old files from the trash': () =>
      stores.media.removeTrash(new Date(at.getTime() - keptDays.formerFile * day).toISOString()),
    'erase old applications': () => eraseOldApplications(provided, at),
  };
  return {
    ...(at.toISOString() >= deleteFrom && deletions),
    'erase personal data again after a restored backup': () => repeatErasures(provided),
    'remove erased text from the search index': () => stores.searchWords.merge(mergeMs),
    ...(!webhook.configured && { 'delete messages to a removed webhook': () => stores.outbox.forget('webhook') }),
  };
}

/** Checks every part, tells the admins of faults, and records this run. */
async function tellAndRecord(run: RunRecord, provided: Services): Promise<void> {
  const words = { ...(await checkWork(provided, run)), disk: await diskWords(), pages: pagesWords() };
  await provided.stores.runs.put({ ...run, faults: await tellAdmins(words, run.faults, provided) });
}

export const config: Config = { schedule: '* * * * *' };
