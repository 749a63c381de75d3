import { retention } from '../../../src/domain/activity.ts';
import type { InquiryRecord } from '../../../src/domain/submissions/inquiry.ts';
import type { PersonalData, PersonalDataCopy } from '../../../src/domain/submissions/personal-data.ts';
import {
  type Submission,
  type SubmissionKind,
  isApplication,
} from '../../../src/domain/submissions/submission-kinds.ts';
import { site } from '../../../src/site.config.ts';
import { removeDeletedWords } from '../db/search-index.ts';
import { noticeDay, notifyAdmins } from '../mail/notices.ts';
import type { Services } from '../services.ts';
import type { WaitingSubmission } from './blobs.ts';
import type { Sender } from './store.ts';

const isInquiry = (submission: Submission): submission is InquiryRecord => !isApplication(submission);

/** Returns all data that is stored under this email address. Ignores upper and lower case. */
export async function copyPersonalData(email: string, { stores }: Services): Promise<PersonalDataCopy> {
  const stored = await stores.submissions.of(email);
  const invitations = (await stores.setUpLinks.invitations()).filter(hasAddress(email));
  return { email, inquiries: stored.filter(isInquiry), applications: stored.filter(isApplication), invitations };
}

/** Finds the data that the site stores about the person with this email address. */
export async function findPersonalData(email: string, services: Services): Promise<PersonalData> {
  const { inquiries, applications, invitations } = await copyPersonalData(email, services);
  const references = (some: readonly Submission[]) => some.map(({ reference }) => reference);
  return {
    email,
    inquiries: references(inquiries),
    applications: references(applications),
    held: references(applications.filter(({ kept }) => kept)),
    waiting: (await waitingOf(hasAddress(email), services)).length,
    invitations: invitations.length,
  };
}

/**
 * Erases all data of a person: rows, words in the search index, messages in the outbox, resumes, an invitation, the
 * email address in the activity log, and submissions that wait for the database. After an error, the next try finds the remaining data.
 * @returns the data that was found before the erasure.
 */
export async function erasePersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const found = await findPersonalData(email, services);
  await stores.erasures.note('email', [email], services.now().toISOString());
  await eraseWaiting(hasAddress(email), services);
  for (const stored of await stores.submissions.of(email)) {
    await erase(stored.id, isApplication(stored) ? 'application' : 'inquiry', services);
  }
  await stores.setUpLinks.remove(email);
  await eraseFromActivity(hasAddress(email), services);
  await removeDeletedWords(services.database);
  return found;
}

/**
 * Repeats the erasures that are missing from a database restored from a backup. Submissions that a person sent after the
 * erasure are not erased.
 * @returns how many inquiries and applications were erased.
 */
export async function repeatErasures(services: Services): Promise<number> {
  const { stores } = services;
  const missing = await stores.erasures.missing();
  if (missing.length === 0) return 0;
  const erasedAt = new Map<string, string>();
  for (const { at, hashes } of missing) {
    for (const hash of hashes) if (at > (erasedAt.get(hash) ?? '')) erasedAt.set(hash, at);
  }
  const hash = await stores.erasures.hasher();
  const wasErased = ({ id, email, createdAt }: Omit<Sender, 'kind'>): boolean =>
    createdAt <= (erasedAt.get(hash('email', email)) ?? '') || erasedAt.has(hash('id', id));
  const found = (await stores.submissions.senders()).filter(wasErased);
  for (const { id, kind } of found) await erase(id, kind, services);
  const erased = found.length + (await eraseWaiting(wasErased, services));
  await eraseFromActivity(wasErased, services);
  for (const batch of missing) await stores.erasures.accept(batch);
  return erased;
}

const hasAddress =
  (email: string) =>
  (sender: Pick<Sender, 'email'>): boolean =>
    sender.email.toLowerCase() === email.toLowerCase();

/**
 * Erases a submission with its files. The row is deleted last, so the next try after an error still finds it. The
 * database deletes its words in the search index and its messages in the outbox.
 */
async function erase(id: string, kind: SubmissionKind, { stores }: Services): Promise<void> {
  if (kind === 'application') {
    await stores.uploads.removeUsedBy(id);
    await stores.resumes.remove(id);
  }
  await stores.submissions.remove(id);
}

/** Replaces the email addresses of people whom admins invited or removed. The entries stay. */
async function eraseFromActivity(
  matches: (person: Omit<Sender, 'kind'>) => boolean,
  { stores }: Services,
): Promise<void> {
  const found = (await stores.activity.people()).filter(matches);
  await stores.activity.forget(found.map(({ id }) => id));
}

/** Finds the submissions that wait for the database. */
async function waitingOf(matches: (sender: Sender) => boolean, { stores }: Services): Promise<WaitingSubmission[]> {
  const found: WaitingSubmission[] = [];
  for (const key of await stores.spool.keys()) {
    const waiting = await stores.spool.get(key);
    if (waiting && matches({ ...waiting, email: waiting.input.email })) found.push(waiting);
  }
  return found;
}

async function eraseWaiting(matches: (sender: Sender) => boolean, services: Services): Promise<number> {
  const found = await waitingOf(matches, services);
  for (const { id, kind, key } of found) {
    await erase(id, kind, services);
    await services.stores.spool.remove(key);
  }
  return found.length;
}

/** Deletes resumes that have had no application for a day, and whose application does not wait for the database. */
export async function eraseOrphanedResumes({ stores }: Services, at: Date): Promise<void> {
  for (const id of await stores.resumes.orphans(at)) {
    if (!(await stores.spool.get(`applications/${id}`))) await stores.resumes.remove(id);
  }
}

/** Maximum number of applications that one run announces to admins and erases. The next run continues. */
const erasedAtOnce = 100;

/**
 * Announces the deletion of applications that will soon reach the age in the privacy policy (`applicationsKeptYears`),
 * and erases applications on their announced day. An admin has 30 days to keep an application. The activity log has the
 * number of applications, but no personal data.
 * @param at the current time, which the scheduled work checks (`netlify/server/jobs.ts`).
 */
export async function eraseOldApplications(services: Services, at: Date): Promise<void> {
  const { stores } = services;
  const now = at.toISOString();
  const years = site.applicationsKeptYears;
  const note = (verb: string, count: number, rest: string) => {
    const action = `${verb} ${count === 1 ? '1 application' : `${count} applications`} ${rest}`;
    return stores.activity.create([{ at: now, who: retention, action, subject: '' }]);
  };

  const due = await stores.submissions.announceDeletions(now, erasedAtOnce);
  if (due[0] !== undefined) {
    const first = noticeDay(due[0]);
    await note('scheduled', due.length, `for deletion, the first on ${first}`);
    await notifyAdmins(services, {
      key: `deletion:${now.slice(0, 10)}`,
      subject: `Applications will be deleted starting ${first}`,
      paragraphs: [
        `The privacy policy says that the firm deletes applications after ${years} years. The oldest applications are almost that old. The site will delete these applications and their resumes, the first on ${first}. A deleted application can't be restored.`,
        'To keep an application, for example because of a legal claim, open it under Contact Submissions > Applications and select "Keep after deletion date."',
      ],
    });
  }

  const erased: string[] = [];
  try {
    for (const id of await stores.submissions.overdueIds(now, erasedAtOnce)) {
      await erase(id, 'application', services);
      erased.push(id);
    }
  } finally {
    if (erased.length > 0) {
      await stores.erasures.note('id', erased, now);
      await note('deleted', erased.length, `after ${years} years`);
    }
  }
}
