import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import {
  type ApplicationInput,
  type ApplicationReceipt,
  applicationOutcome,
  resumeRefusals,
} from '../../../src/domain/application.ts';
import { type Fields, inputSchema } from '../../../src/domain/field.ts';
import type { InquiryInput, InquiryReceipt } from '../../../src/domain/inquiry.ts';
import { minimumFillMs, referenceOf, type submissionMarks } from '../../../src/domain/submission.ts';
import { documentKindOf } from '../files/document-kind.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { idOf } from '../http/body.ts';
import { logError } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { takeBytes, tooManyBytes } from '../uploads/quotas.ts';
import type { Services } from '../services.ts';
import { type SpamWords, suspicionsAbout } from './spam.ts';
import { storeOrSpool } from './store-or-spool.ts';
import type { NewSubmission } from './store.ts';

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
): Omit<NewSubmission, 'input'> {
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

interface Sender {
  readonly marks: SubmissionMarks;
  readonly address: string;
}

/**
 * Stores an inquiry. If the database is down, the inquiry waits in the blob store.
 * @throws {Refusal} `too_many_requests` after too much text within an hour, and `unavailable` only if neither the
 *   database nor the blob store stores the inquiry.
 */
export async function receiveInquiry(
  input: InquiryInput,
  { marks, address }: Sender,
  services: Services,
): Promise<InquiryReceipt> {
  const prepared = newSubmission(input, input, marks, services.now());
  const counted = { id: prepared.id, kind: 'form', bytes: Buffer.byteLength(JSON.stringify(input)) } as const;
  const { taken, quiet } = await takeBytes(counted, address, services);
  if (!taken) throw tooManyBytes('form');
  const id = await storeOrSpool('inquiry', { ...prepared, input, quiet }, services);
  return { success: true, id, reference: referenceOf(id) };
}

/**
 * Stores an application: first the resume, so that every row has its resume, and then the row. If the database is down,
 * the row waits in the blob store.
 * @returns the application's id.
 * @throws {Refusal} `invalid_input` if the file is not a resume, `too_many_requests` after too many resumes within an
 *   hour, and `unavailable` if neither the database nor the blob store works.
 */
export async function receiveApplication(
  input: ApplicationInput,
  file: ReceivedFile,
  { marks, address }: Sender,
  services: Services,
): Promise<string> {
  const { stores, now } = services;
  const kind = documentKindOf(file.bytes);
  if (!kind) throw new Refusal('invalid_input', resumeRefusals.type, { errors: { resume: resumeRefusals.type } });
  const words = { ...input, resume: createHash('sha256').update(file.bytes).digest('hex') };
  const { fullName, coverLetter = '' } = input;
  const prepared = newSubmission(words, { fullName, message: coverLetter }, marks, now());
  const size = file.bytes.byteLength;
  const bytes = size + Buffer.byteLength(JSON.stringify(input));
  const { taken, quiet } = await takeBytes({ id: prepared.id, kind: 'resume', bytes }, address, services);
  if (!taken) throw tooManyBytes('resume');
  const application = { ...prepared, input, quiet, resume: { name: file.name, kind, size } };
  let isNew = false;
  try {
    isNew = await stores.resumes.create(application.id, file.bytes);
  } catch (error) {
    logError('resume not stored in the blob store or the database', { application: application.id }, error);
    throw new Refusal('unavailable', "We couldn't save your application. Please try again later.");
  }
  // A resume that an earlier try has stored may belong to an application that this try could not find.
  const id = await storeOrSpool('application', application, services, async () => {
    if (isNew) await stores.resumes.remove(application.id);
  });
  if (id !== application.id) await stores.resumes.remove(application.id);
  if (file.uploadId !== undefined) {
    // The upload remains stored for 15 minutes, because the client may retry the request. The application's id is
    // stored with the upload, so erasing the application also deletes the upload.
    await stores.uploads
      .usedBy(file.uploadId, id)
      .catch((error: unknown) => logError('upload not linked to its application', { application: id }, error));
  }
  return id;
}

/**
 * How long the response to an applicant waits for the email to HR to be sent, in milliseconds. After that, the email is
 * sent in the background.
 */
const mailPatienceMs = 2_000;

/**
 * Returns the response to a stored application. `emailSent` is true only if the email server has already accepted the
 * email to HR. Otherwise the email is sent later.
 * @param mail settles when the outbox has tried to send the application's emails.
 */
export async function receiptOf(
  id: string,
  mail: Promise<void>,
  { stores, mailer }: Services,
): Promise<ApplicationReceipt> {
  let emailSent = false;
  if (mailer.configured) {
    const over = new AbortController();
    await Promise.race([mail, sleep(mailPatienceMs, undefined, { signal: over.signal }).catch(() => undefined)]);
    over.abort();
    const stored = await stores.submissions.get('application', id).catch(() => null);
    emailSent = stored?.delivery.firm.status === 'sent';
  }
  return { success: true, emailSent, message: applicationOutcome(emailSent), reference: referenceOf(id) };
}
