import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplicationInput } from '../../../src/domain/application.ts';
import { type ApplicationReceipt, applicationOutcome } from '../../../src/domain/application-receipt.ts';
import { resumeRefusals } from '../../../src/domain/resume.ts';
import { referenceOf } from '../../../src/domain/submission.ts';
import { documentKindOf } from '../files/document-kind.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { Refusal } from '../runtime/refusal.ts';
import { logError } from '../runtime/log.ts';
import { takeBytes, tooManyBytes } from '../security/quotas.ts';
import type { Services } from '../services.ts';
import type { NewApplication } from '../stores/applications.ts';
import { type SubmissionMarks, emptySpool, newSubmission, storeOrSpool } from './submissions.ts';

/**
 * How long the response to an applicant waits for the email to HR to be sent, in milliseconds. After that, the email is
 * sent in the background.
 */
const mailPatienceMs = 2_000;

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
  { marks, address }: { readonly marks: SubmissionMarks; readonly address: string },
  services: Services,
): Promise<string> {
  const { stores, now } = services;
  const kind = documentKindOf(file.bytes);
  if (!kind) throw new Refusal('invalid_input', resumeRefusals.type, { errors: { resume: resumeRefusals.type } });
  const words = { ...input, resume: createHash('sha256').update(file.bytes).digest('hex') };
  const { fullName, coverLetter = '' } = input;
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
    logError('resume not stored in the blob store or the database', { application: application.id }, error);
    throw new Refusal('unavailable', "We couldn't save your application. Please try again later.");
  }
  const id = await storeOrSpool(application, {
    kind: 'application',
    create: stores.applications.create,
    spool: stores.applicationSpool,
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
    const stored = await stores.applications.get(id).catch(() => null);
    emailSent = stored?.delivery.firm.status === 'sent';
  }
  return { success: true, emailSent, message: applicationOutcome(emailSent), reference: referenceOf(id) };
}

/**
 * While the database is down, applications wait in the blob store. While the blob store is down, resumes wait in the
 * database. This function moves both to their usual store.
 */
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
