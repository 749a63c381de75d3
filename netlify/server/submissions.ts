import { randomUUID } from 'node:crypto';
import { minimumFillMs, submissionMarks } from '../../src/domain/submission.ts';
import { Refusal } from './http/refusal.ts';
import { logError } from './log.ts';
import { idOf } from './retry-id.ts';
import { type SpamWords, suspicionsAbout } from './spam.ts';
import type { NewSubmission } from './stores/submissions.ts';

/** A native form has no key of its own: the same words sent again within this time are the same submission. */
const sameFormWindowMs = 10 * 60_000;

/** What came with a submission beside its words. */
export interface SubmissionMarks {
  /** The `Idempotency-Key` header. */
  readonly key: string | null;
  readonly fromForm: boolean;
  readonly body: unknown;
}

/**
 * Prepares a submission. Its id is made of the retry key and the words, so a retry is the same row in the database and in the
 * blob store, and changed words are a new submission.
 * @param words all that makes it this submission and no other.
 * @param spamWords what a robot would have written.
 */
export function newSubmission(
  words: Readonly<Record<string, string>>,
  spamWords: SpamWords,
  marks: SubmissionMarks,
  at: Date,
): NewSubmission {
  const suspicions = suspicionsAbout(spamWords, {
    honeypot: markOf(marks.body, submissionMarks.honeypot),
    filledTooFast: fillTimeOf(marks.body) < minimumFillMs,
  });
  const window = Math.floor(at.getTime() / sameFormWindowMs);
  const formId = (index: number) => idOf(`form:${index}`, words);
  return {
    id: marks.key ? idOf(`key:${marks.key}`, words) : marks.fromForm ? formId(window) : randomUUID(),
    ...(!marks.key && marks.fromForm && { unlessStored: formId(window - 1) }),
    status: suspicions.length > 0 ? 'quarantine' : 'inbox',
    suspicions,
    createdAt: at.toISOString(),
  };
}

interface Spool<T> {
  keys(): Promise<string[]>;
  get(key: string): Promise<T | null>;
  remove(key: string): Promise<void>;
}

interface Keeper<T> {
  /** What it is, for the log. */
  readonly kind: 'inquiry' | 'application';
  readonly create: (submission: T) => Promise<{ id: string }>;
  readonly spool: { keep(submission: T): Promise<void> };
}

/** The database has this long to take a submission; after that the submission is kept in the blob store as well. */
const databaseMs = 1_200;
/** A visitor is answered after this time even where neither store has answered. */
const answerMs = 1_800;

/**
 * Stores a submission, or keeps it for the database where the database fails or takes too long. Both may happen: a commit
 * that comes late and the kept copy have the same id, so they become one row, with one set of messages.
 * @returns the id under which it is stored.
 * @throws {Refusal} `unavailable` only where neither the database nor the blob store took it in time.
 */
export async function storeOrSpool<T extends NewSubmission>(submission: T, keeper: Keeper<T>): Promise<string> {
  const { kind } = keeper;
  const began = performance.now();
  const until = (limit: number) => began + limit - performance.now();

  const stored = keeper.create(submission).then(({ id }) => id);
  try {
    return await within(until(databaseMs), stored);
  } catch (error) {
    logError(`database did not take an ${kind}; it waits in the blob store`, { [kind]: submission.id }, error);
  }
  const kept = keeper.spool.keep(submission).then(() => submission.id);
  try {
    return await within(until(answerMs), Promise.any([stored, kept]));
  } catch (error) {
    logError(`neither store took an ${kind}`, { [kind]: submission.id }, error);
    throw new Refusal('unavailable', 'We could not store your message just now. Please try again later.');
  }
}

/** @throws {Error} where the work takes longer; how it ends is then of no interest. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), Math.max(0, ms));
  return await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Submissions moved at a time. They share a commit, and if the database does not answer, they share one wait. */
const movedAtOnce = 20;

/**
 * Moves what waited in the blob store into the database. One that cannot be moved does not hold up the others.
 * @throws where some could not be moved; they go on waiting.
 */
export async function emptySpool<T>(spool: Spool<T>, store: (submission: T) => Promise<unknown>): Promise<void> {
  const move = async (key: string): Promise<void> => {
    const submission = await spool.get(key);
    if (submission) await store(submission);
    await spool.remove(key);
  };
  const keys = await spool.keys();
  const failures: unknown[] = [];
  for (let from = 0; from < keys.length; from += movedAtOnce) {
    const outcomes = await Promise.allSettled(keys.slice(from, from + movedAtOnce).map(move));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason);
    failures.push(...failed);
    if (failed.length === outcomes.length) break;
  }
  if (failures.length > 0) throw new Error('some that waited could not be moved', { cause: failures[0] });
}

function markOf(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Milliseconds, or infinity where there is no usable mark. */
function fillTimeOf(body: unknown): number {
  const mark = markOf(body, submissionMarks.fillTime);
  return /^\d{1,12}$/.test(mark) ? Number(mark) : Number.POSITIVE_INFINITY;
}
