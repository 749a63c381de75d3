import { keptDays } from '../../src/domain/submissions/retention.ts';
import { removeExpiredRows } from './db/expired-rows.ts';
import { removeDeletedWords } from './db/search-index.ts';
import { logError } from './log.ts';
import { deliver } from './mail/deliver.ts';
import { publishScheduled } from './posts/saving.ts';
import { askForWaitingBuild, keepYear, repeatPurges } from './publishing/announce-change.ts';
import type { Services } from './services.ts';
import { watch, watchDatabase } from './status/alarms.ts';
import { checkParts, databaseWords, fileWords } from './status/checks.ts';
import type { LastRun, RunRecord } from './status/run-store.ts';
import { eraseOldApplications, eraseOrphanedResumes, repeatErasures } from './submissions/personal-data.ts';
import { emptySpool } from './submissions/receive.ts';
import { within } from './time/within.ts';

type Jobs = Readonly<Record<string, () => Promise<unknown>>>;

const hour = 60 * 60_000;
const day = 24 * hour;
/** The time limit of a whole run. Netlify would stop the scheduled function after 30 seconds. */
const runMs = 25_000;
/** Shares of the run time: for the jobs that come first, and for the checks that come last. All others get the rest. */
const firstShare = 0.16;
const lastShare = 0.3;

/** Services for which this process has already run the hourly jobs. */
const known = new WeakSet<Services>();
/** Jobs that are still running. A process runs only one instance of each job at a time. */
const unfinished = new WeakMap<Services, Map<string, Promise<unknown>>>();

/**
 * Runs the scheduled work. Every minute, it publishes scheduled posts and sends due messages. Every hour, and when a
 * process starts, it deletes expired data and looks for work that another process left. In the minutes between, an idle
 * site reads few rows and no file.
 */
export async function runScheduledWork(services: Services, withinMs = runMs): Promise<void> {
  const { stores, now } = services;
  const began = performance.now();
  const left = () => Math.max(withinMs * (1 - lastShare) - (performance.now() - began), 0);
  const lastMs = (withinMs * lastShare) / 2;
  let hourly = false;
  try {
    const last = await within(stores.runs.last(), withinMs * firstShare);
    hourly = !known.has(services) || areHourlyJobsDue(last, now());
    const deleteFrom = deletionsFrom(last, now());
    const first: Jobs = {
      'publish scheduled posts': () => publishScheduled(services),
      ...((hourly || stores.spool.hasNew()) && { 'move waiting submissions': () => emptySpool(services) }),
      'update the copyright year on the pages': () => keepYear(services),
      'request a build': () => askForWaitingBuild(last, services),
    };
    const failedFirst = await failuresOf(first, services, withinMs * firstShare);
    const then: Jobs = {
      'send emails': () => deliver('mail', services, left() * 0.9),
      'send chat messages': () => deliver('webhook', services, left() * 0.9),
      ...(hourly && hourlyJobs(services, deleteFrom)),
    };
    const [failedThen, files] = await Promise.all([
      failuresOf(then, services, left()),
      hourly || last?.files !== 'ok' ? fileWords(services) : 'ok',
    ]);
    const ranAt = now().toISOString();
    const skipped = Object.keys(last?.failing ?? {}).filter((name) => !hourly && !(name in first || name in then));
    const sinceOf = (name: string): string => {
      const since = last?.failing[name] ?? ranAt;
      // A later time was noted before the clock was set back.
      return since < ranAt ? since : ranAt;
    };
    const run: RunRecord = {
      ranAt,
      hourlyAt: hourly ? ranAt : last!.hourlyAt,
      deleteFrom,
      failing: Object.fromEntries([...skipped, ...failedFirst, ...failedThen].map((name) => [name, sinceOf(name)])),
      files,
      faults: last?.faults ?? {},
    };
    await within(tellAndRecord(run, last?.build ?? null, services), lastMs);
    if (hourly) known.add(services);
    await watchDatabase('ok', hourly, services);
  } catch (error) {
    known.delete(services);
    await within(watchDatabase(databaseWords(error), hourly, services), lastMs);
  }
}

/**
 * Runs jobs in parallel, each with a time limit, so a job that hangs does not delay the others. A job that exceeds the
 * limit continues, and the next run waits for that job instead of starting it again.
 * @returns the names of the jobs that failed, or did not end in time.
 */
async function failuresOf(jobs: Jobs, services: Services, withinMs: number): Promise<string[]> {
  const running = unfinished.get(services) ?? new Map<string, Promise<unknown>>();
  unfinished.set(services, running);
  const failed: string[] = [];
  const run = async ([name, job]: [string, Jobs[string]]) => {
    const work = running.get(name) ?? (async () => await job())().finally(() => running.delete(name));
    running.set(name, work);
    await within(work, withinMs).catch((error: unknown) => {
      logError(`could not ${name}`, {}, error);
      failed.push(name);
    });
  };
  await Promise.all(Object.entries(jobs).map(run));
  return failed;
}

const repeatingPurges = 'purge changed pages from the cache';

/**
 * Returns whether an hour has passed since the last hourly jobs. While a job fails, the hourly jobs run a minute after
 * the first failure, and then after pauses that double up to an hour. A purge that has failed since is repeated in the
 * next minute.
 */
function areHourlyJobsDue(last: LastRun | null, now: Date): boolean {
  if (!last || (last.hasUnpurged && !(repeatingPurges in last.failing))) return true;
  const hourlyAt = Date.parse(last.hourlyAt);
  const failedFor = hourlyAt - Math.min(...Object.values(last.failing).map((since) => Date.parse(since)), Infinity);
  const pause = Object.keys(last.failing).length === 0 ? hour : Math.min(failedFor, hour);
  return Math.abs(now.getTime() - hourlyAt) >= pause;
}

/**
 * Returns until when jobs that delete data wait, or an empty string. A clock that is ahead would make recent data look
 * old, so they wait for a day if the time is more than a day away from the last run.
 */
function deletionsFrom(last: RunRecord | null, now: Date): string {
  const jumped = last && Math.abs(now.getTime() - Date.parse(last.ranAt)) > day;
  return jumped ? new Date(now.getTime() + day).toISOString() : (last?.deleteFrom ?? '');
}

function hourlyJobs(services: Services, deleteFrom: string): Jobs {
  const { stores } = services;
  const now = services.now();
  const deletions: Jobs = {
    'delete expired data': () => removeExpiredRows(services.database, now),
    'delete expired uploads': () => stores.uploads.removeExpired(now.toISOString()),
    'delete old files from the trash': () =>
      stores.media.removeTrash(new Date(now.getTime() - keptDays.formerFile * day).toISOString()),
    'delete old applications': () => eraseOldApplications(services, now),
    'delete resumes without an application': () => eraseOrphanedResumes(services, now),
  };
  return {
    ...(now.toISOString() >= deleteFrom && deletions),
    [repeatingPurges]: () => repeatPurges(services),
    'erase personal data again after a restore': () => repeatErasures(services),
    'remove erased text from the search index': () => removeDeletedWords(services.database),
  };
}

/** Checks every part, tells the admins of faults, and records this run. */
async function tellAndRecord(run: RunRecord, build: LastRun['build'], services: Services): Promise<void> {
  const faults = await watch(await checkParts(services, run, build), run.faults, services);
  await services.stores.runs.put({ ...run, faults });
}
