import { logError } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { within } from '../within.ts';
import type { Services } from '../services.ts';
import type { Kind } from './kinds.ts';
import type { NewSubmission } from './store.ts';

/** How long the database may take, in milliseconds. After that, the submission is stored in the blob store as well. */
const databaseMs = 1_200;
/** The longest time that a visitor waits for the database and the blob store together, in milliseconds. */
const answerMs = 1_800;

/**
 * Stores a submission in the database, or in the blob store if the database fails or takes too long. If a slow database
 * stores the submission after all, the copy in the blob store has the same id and is not added a second time.
 * @param lost is called if neither store has stored the submission, even later.
 * @returns the id of the stored submission.
 * @throws {Refusal} `unavailable` if neither the database nor the blob store has stored it in time.
 */
export async function storeOrSpool(
  kind: Kind,
  submission: NewSubmission,
  { stores }: Services,
  lost: () => Promise<void> = async () => undefined,
): Promise<string> {
  const began = performance.now();
  const until = (limit: number) => began + limit - performance.now();
  const fields = { submission: submission.id, kind };

  const stored = stores.submissions.create(kind, submission).then(({ id }) => id);
  try {
    return await within(stored, until(databaseMs));
  } catch (error) {
    logError('submission not stored in the database; it waits in the blob store', fields, error);
  }
  const kept = stores.spool.keep(kind, submission).then(() => submission.id);
  const either = Promise.any([stored, kept]);
  try {
    return await within(either, until(answerMs));
  } catch (error) {
    logError('submission not stored in the database or the blob store', fields, error);
    either.catch(lost).catch((failure: unknown) => logError('files of a lost submission not deleted', fields, failure));
    throw new Refusal('unavailable', "We couldn't save your message. Please try again later.");
  }
}

/**
 * The number of submissions that are moved in parallel. They share one commit. If the database is down, they all wait
 * at the same time, so a group takes only one timeout.
 */
const movedAtOnce = 20;

/**
 * Moves waiting submissions from the blob store into the database, in groups of {@link movedAtOnce}. Stops if a whole
 * group fails. Then moves resumes that wait in the database to the blob store.
 * @throws {Error} if some submissions could not be moved. They stay in the blob store until the next call.
 */
export async function emptySpool({ stores }: Services): Promise<void> {
  const move = async (key: string): Promise<void> => {
    const waiting = await stores.spool.get(key);
    if (waiting) {
      const { id } = await stores.submissions.create(waiting.kind, waiting);
      if (id !== waiting.id) await stores.resumes.remove(waiting.id);
    }
    await stores.spool.remove(key);
  };
  const failures: unknown[] = [];
  try {
    const keys = await stores.spool.keys();
    for (let from = 0; from < keys.length; from += movedAtOnce) {
      const outcomes = await Promise.allSettled(keys.slice(from, from + movedAtOnce).map(move));
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason);
      failures.push(...failed);
      if (failed.length === outcomes.length) break;
    }
  } finally {
    await stores.resumes.moveWaiting();
  }
  if (failures.length > 0) throw new Error('waiting submissions not moved to the database', { cause: failures[0] });
}
