import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApplicationInput,
  type ApplicationReceipt,
  applicationOutcome,
  resumeRefusals,
} from '../../src/domain/application.ts';
import { referenceOf } from '../../src/domain/submission.ts';
import { documentKindOf } from './files/document-kind.ts';
import type { ReceivedFile } from './http/multipart.ts';
import { Refusal } from './http/refusal.ts';
import { logError } from './log.ts';
import { takeBytes, tooManyBytes } from './quotas.ts';
import type { Services } from './services.ts';
import type { NewApplication } from './stores/applications.ts';
import { type SubmissionMarks, emptySpool, newSubmission, storeOrSpool } from './submissions.ts';

/** An applicant waits so long for the mail server; the mail then goes out by itself. */
const mailPatienceMs = 2_000;

/**
 * Stores an application: the resume first, so that no row is without its resume, and then the row. If the database does not
 * answer, the row waits in the blob store.
 * @returns the application's id.
 * @throws {Refusal} `unavailable` if neither the database nor the blob store answers, and `too_many_requests` after too many
 *   resumes within an hour.
 */
export async function receiveApplication(
  input: ApplicationInput,
  file: ReceivedFile,
  { marks, address }: { readonly marks: SubmissionMarks; readonly address: string },
  services: Services,
): Promise<string> {
  const { stores, now } = services;
  const kind = documentKindOf(file.bytes);
  if (!kind) throw new Refusal('invalid_input', resumeRefusals.type, { errors: { resume: resumeRefusals.type } });
  const words = { ...input, resume: createHash('sha256').update(file.bytes).digest('hex') };
  const { fullName, coverLetter } = input;
  const application: NewApplication = {
    ...newSubmission(words, { fullName, message: coverLetter }, marks, now()),
    input,
    resume: { name: file.name, kind, size: file.bytes.byteLength },
  };
  const counted = { id: application.id, kind: 'resume', bytes: file.bytes.byteLength } as const;
  if (!(await takeBytes(counted, address, services))) throw tooManyBytes('resume');
  try {
    await stores.resumes.create(application.id, file.bytes);
  } catch (error) {
    logError('neither store took a resume', { application: application.id }, error);
    throw new Refusal('unavailable', 'We could not store your application just now. Please try again later.');
  }
  const id = await storeOrSpool(application, {
    kind: 'application',
    create: stores.applications.create,
    spool: stores.applicationSpool,
  });
  if (id !== application.id) await stores.resumes.remove(application.id);
  if (file.uploadId !== undefined) {
    // A retry still finds the upload; an erasure of the application takes it along.
    await stores.uploads
      .usedBy(file.uploadId, id)
      .catch((error: unknown) => logError('an upload was not linked to its application', { application: id }, error));
  }
  return id;
}

/**
 * The answer to an accepted application. `emailSent` is true only where a mail server took the mail to HR before the
 * answer was given; what it did not take yet goes out later.
 * @param mail the run of the outbox that the application began.
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
    const stored = await stores.applications.get(id).catch(() => null);
    emailSent = stored?.delivery.firm.status === 'sent';
  }
  return { success: true, emailSent, message: applicationOutcome(emailSent), reference: referenceOf(id) };
}

/** Moves what waited in the blob store into the database, and resumes that waited in the database into the blob store. */
export async function emptyApplicationSpool({ stores }: Services): Promise<void> {
  try {
    await emptySpool(stores.applicationSpool, async (application) => {
      const { id } = await stores.applications.create(application);
      if (id !== application.id) await stores.resumes.remove(application.id);
    });
  } finally {
    await stores.resumes.moveWaiting();
  }
}
