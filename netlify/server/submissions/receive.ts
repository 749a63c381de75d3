import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Fields, inputSchema } from '../../../src/domain/field.ts';
import type { SubmissionKind } from '../../../src/domain/submissions/submission-kinds.ts';
import { minimumFillMs, type submissionMarks } from '../../../src/domain/submissions/submission.ts';
import { documentKindOf } from '../files/document-kind.ts';
import type { Call } from '../http/endpoint.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { idOf, retryKeyOf } from '../http/body.ts';
import { logError } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { takeBytes, tooManyBytes } from '../uploads/quotas.ts';
import type { Services } from '../services.ts';
import { within } from '../time/within.ts';
import { suspicionsAbout } from './spam.ts';
import type { NewSubmission } from './store.ts';

const textOrNumber = z.pipe(z.union([z.string(), z.number()]), z.pipe(z.transform(String), z.string().check(z.trim())));
const milliseconds = z.pipe(textOrNumber, z.pipe(z.string().check(z.regex(/^\d{1,12}$/)), z.transform(Number)));

/**
 * The hidden fields for spam detection (`submissionMarks` in `src/domain/submissions/submission.ts`). Invalid values count as
 * missing.
 */
const marksShape = {
  website: z.catch(z.optional(textOrNumber), undefined),
  fillMs: z.catch(z.optional(milliseconds), undefined),
} satisfies Record<(typeof submissionMarks)[keyof typeof submissionMarks], z.ZodMiniType>;

/** Returns the schema of a submitted form: its visible fields, and the hidden fields of {@link marksShape}. */
export const sentForm = <F extends Fields>(fields: F) => z.extend(inputSchema(fields), marksShape);

/** A form that a visitor has sent. */
export interface SentForm extends Pick<Call, 'request' | 'address' | 'fromForm'> {
  readonly input: Readonly<Record<string, string | number | undefined>> & {
    readonly email: string;
    readonly website?: string | undefined;
    readonly fillMs?: number | undefined;
  };
  readonly file?: ReceivedFile | null;
}

/**
 * A form without JavaScript has no retry key. The same text counts as the same submission in one window of this length
 * and in the window after it.
 */
const sameFormWindowMs = 10 * 60_000;

/**
 * Returns the id of a submission: a hash of the text and the retry key, or the time window of a form without JavaScript.
 * A retry therefore writes the same row or blob, and changed text is a new submission. Without a retry key, an API
 * request gets a random id.
 */
function idsOf(
  words: object,
  key: string | null,
  fromForm: boolean,
  at: Date,
): Pick<NewSubmission, 'id' | 'unlessStored'> {
  if (key) return { id: idOf(`key:${key}`, words) };
  if (!fromForm) return { id: randomUUID() };
  const window = Math.floor(at.getTime() / sameFormWindowMs);
  return { id: idOf(`form:${window}`, words), unlessStored: idOf(`form:${window - 1}`, words) };
}

/**
 * Stores a submission. If the database is down, the submission waits in the blob store. A resume is stored first, so
 * that every row has its resume.
 * @returns the id of the stored submission.
 * @throws {Refusal} `too_many_requests` after too much text or too many resumes within an hour, and `unavailable` only
 *   if neither the database nor the blob store stores the submission.
 */
export async function receive(kind: SubmissionKind, sent: SentForm, services: Services): Promise<string> {
  const { stores, now } = services;
  const { request, address, fromForm, file } = sent;
  const { website = '', fillMs = Infinity, ...fields } = sent.input;
  const input = fields as NewSubmission['input'];
  const hash = file && createHash('sha256').update(file.bytes).digest('hex');
  const ids = idsOf({ ...input, ...(hash && { resume: hash }) }, retryKeyOf(request), fromForm, now());
  const size = file?.bytes.byteLength ?? 0;
  const quota = kind === 'inquiry' ? 'form' : 'resume';
  const bytes = size + Buffer.byteLength(JSON.stringify(input));
  const { taken, quiet } = await takeBytes({ id: ids.id, kind: quota, bytes }, address, services);
  if (!taken) throw tooManyBytes(quota);
  const suspicions = suspicionsAbout(input, { honeypot: website, filledTooFast: fillMs < minimumFillMs });
  const resumeKind = file && documentKindOf(file.bytes);
  const submission: NewSubmission = {
    ...ids,
    input,
    suspicions,
    quiet,
    createdAt: now().toISOString(),
    ...(file && resumeKind && { resume: { name: file.name, kind: resumeKind, size } }),
  };
  if (!file) return await storeOrSpool(kind, submission, services);

  const isNew = await stores.resumes.create(submission.id, file.bytes).catch((error: unknown) => {
    logError('resume not stored in the file storage or the database', { application: submission.id }, error);
    throw new Refusal('unavailable', "We couldn't save your application. Please try again later.");
  });
  // A resume that an earlier try has stored may belong to an application that this try could not find.
  const id = await storeOrSpool(kind, submission, services, async () => {
    if (isNew) await stores.resumes.remove(submission.id);
  });
  if (id !== submission.id) await stores.resumes.remove(submission.id);
  if (file.uploadId !== undefined) {
    // The upload remains stored for 15 minutes, because the client may retry the request. The application's id is
    // stored with the upload, so erasing the application also deletes the upload.
    await stores.uploads
      .usedBy(file.uploadId, id)
      .catch((error: unknown) => logError('upload not linked to its application', { application: id }, error));
  }
  return id;
}

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
async function storeOrSpool(
  kind: SubmissionKind,
  submission: NewSubmission,
  { stores }: Services,
  lost: () => Promise<void> = async () => undefined,
): Promise<string> {
  const fields = { submission: submission.id, kind };

  const stored = stores.submissions.create(kind, submission);
  const kept = within(stored, databaseMs).catch(async (error: unknown) => {
    logError('submission not stored in the database; it waits in the file storage', fields, error);
    await stores.spool.keep(kind, submission);
    return submission.id;
  });
  const either = Promise.any([stored, kept]);
  try {
    return await within(either, answerMs);
  } catch (error) {
    logError('submission not stored in the database or the file storage', fields, error);
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
      const id = await stores.submissions.create(waiting.kind, waiting);
      // An erasure may have run since this submission was read. Then it did not find the row.
      const isErased = await stores.erasures.hasErased(waiting.input.email, waiting.createdAt);
      if (isErased) await stores.submissions.remove(id);
      if (isErased || id !== waiting.id) await stores.resumes.remove(waiting.id);
    }
    await stores.spool.remove(key);
  };
  let failure: unknown;
  try {
    const keys = await stores.spool.keys();
    for (let from = 0; from < keys.length; from += movedAtOnce) {
      const outcomes = await Promise.allSettled(keys.slice(from, from + movedAtOnce).map(move));
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
      failure ??= failed[0]?.reason;
      if (failed.length === outcomes.length) break;
    }
  } finally {
    await stores.resumes.moveWaiting();
  }
  if (failure !== undefined) throw new Error('waiting submissions not moved to the database', { cause: failure });
}
