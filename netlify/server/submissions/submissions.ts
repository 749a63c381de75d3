import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Fields } from '../../../src/domain/field.ts';
import { inputSchema } from '../../../src/domain/field-schema.ts';
import { minimumFillMs, type submissionMarks } from '../../../src/domain/submission.ts';
import { Refusal } from '../runtime/refusal.ts';
import { logError } from '../runtime/log.ts';
import { within } from '../runtime/within.ts';
import { idOf } from '../http/retry-id.ts';
import { type SpamWords, suspicionsAbout } from './spam.ts';
import type { NewSubmission } from '../stores/submissions.ts';

/**
 * A form without JavaScript has no retry key. The same text counts as the same submission in one window of this length
 * and in the window after it.
 */
const sameFormWindowMs = 10 * 60_000;

const textOrNumber = z.pipe(z.union([z.string(), z.number()]), z.pipe(z.transform(String), z.string().check(z.trim())));
const milliseconds = z.pipe(textOrNumber, z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)));

/**
 * The hidden fields for spam detection (`submissionMarks` in `src/domain/submission.ts`). Invalid values count as
 * missing.
 */
const marksShape = {
  website: z.catch(z.optional(textOrNumber), undefined),
  fillMs: z.catch(z.optional(milliseconds), undefined),
} satisfies Record<(typeof submissionMarks)[keyof typeof submissionMarks], z.ZodMiniType>;

/** Returns the schema of a submitted form: its visible fields, and the hidden fields of {@link marksShape}. */
export const sentForm = <F extends Fields>(fields: F) => z.extend(inputSchema(fields), marksShape);

/** The data of a request in addition to the fields of the form. */
export interface SubmissionMarks {
  /** The `Idempotency-Key` header. */
  readonly key: string | null;
  readonly fromForm: boolean;
  readonly website?: string | undefined;
  readonly fillMs?: number | undefined;
}

/**
 * Prepares a submission. Its id is a hash of the text and the retry key, or the time window of a form without
 * JavaScript. A retry therefore writes the same row or blob, and changed text is a new submission. Without a retry key,
 * an API request gets a random id.
 * @param words the text that identifies the submission.
 * @param spamWords the fields that the spam filter checks.
 */
export function newSubmission(
  words: Readonly<Record<string, string>>,
  spamWords: SpamWords,
  marks: SubmissionMarks,
  at: Date,
): NewSubmission {
  const suspicions = suspicionsAbout(spamWords, {
    honeypot: marks.website ?? '',
    filledTooFast: marks.fillMs !== undefined && marks.fillMs < minimumFillMs,
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
  /** The kind of submission, for the log. */
  readonly kind: 'inquiry' | 'application';
  readonly create: (submission: T) => Promise<{ id: string }>;
  readonly spool: { keep(submission: T): Promise<void> };
}

/** How long the database may take, in milliseconds. After that, the submission is stored in the blob store as well. */
const databaseMs = 1_200;
/** The longest time that a visitor waits for the database and the blob store together, in milliseconds. */
const answerMs = 1_800;

/**
 * Stores a submission in the database, or in the blob store if the database fails or takes too long. If a slow database
 * stores the submission after all, the copy in the blob store has the same id and is not added a second time.
 * @returns the id of the stored submission.
 * @throws {Refusal} `unavailable` if neither the database nor the blob store has stored it in time.
 */
export async function storeOrSpool<T extends NewSubmission>(submission: T, keeper: Keeper<T>): Promise<string> {
  const { kind } = keeper;
  const began = performance.now();
  const until = (limit: number) => began + limit - performance.now();

  const stored = keeper.create(submission).then(({ id }) => id);
  try {
    return await within(stored, until(databaseMs));
  } catch (error) {
    logError(`${kind} not stored in the database; it waits in the blob store`, { [kind]: submission.id }, error);
  }
  const kept = keeper.spool.keep(submission).then(() => submission.id);
  try {
    return await within(Promise.any([stored, kept]), until(answerMs));
  } catch (error) {
    logError(`${kind} not stored in the database or the blob store`, { [kind]: submission.id }, error);
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
 * group fails.
 * @throws {Error} if some submissions could not be moved. They stay in the blob store until the next call.
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
  if (failures.length > 0) throw new Error('waiting submissions not moved to the database', { cause: failures[0] });
}
