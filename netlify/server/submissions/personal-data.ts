import { retention } from '../../../src/domain/activity.ts';
import type { PersonalData, PersonalDataCopy } from '../../../src/domain/personal-data.ts';
import { referenceOf } from '../../../src/domain/submission.ts';
import { site } from '../../../src/site.config.ts';
import { removeDeletedWords } from '../db/search-index.ts';
import { isApplication } from '../mail/texts.ts';
import { noticeDay, notifyAdmins } from '../mail/notices.ts';
import type { Services } from '../services.ts';
import type { Kind } from './kinds.ts';
import type { WaitingSubmission } from './blobs.ts';
import type { Sender } from './store.ts';

/** Finds the data that the site stores about the person with this email address. Ignores upper and lower case. */
export async function findPersonalData(email: string, services: Services): Promise<PersonalData> {
  const [stored, waiting] = await Promise.all([
    services.stores.submissions.of(email),
    spooledOf(sameAddress(email), services),
  ]);
  const references = (of: (one: (typeof stored)[number]) => boolean) =>
    stored.filter(of).map(({ id }) => referenceOf(id));
  return {
    email,
    inquiries: references(({ kind }) => kind === 'inquiry'),
    applications: references(({ kind }) => kind === 'application'),
    held: references(({ kept }) => kept === 1),
    waiting: waiting.length,
  };
}

/** Returns all inquiries and applications that are stored under this email address. */
export async function copyPersonalData(email: string, { stores }: Services): Promise<PersonalDataCopy> {
  const copy: PersonalDataCopy = { email, inquiries: [], applications: [] };
  for (const { id } of await stores.submissions.of(email)) {
    const submission = await stores.submissions.get(null, id);
    if (!submission) continue;
    if (isApplication(submission)) copy.applications.push(submission);
    else copy.inquiries.push(submission);
  }
  return copy;
}

/**
 * Erases a submission with its files. The row is deleted last, so the next try after an error still finds it. The
 * database deletes its words in the search index and its messages in the outbox.
 */
async function erase({ id, kind }: { id: string; kind: Kind }, { stores }: Services): Promise<void> {
  if (kind === 'application') {
    await stores.uploads.removeUsedBy(id);
    await stores.resumes.remove(id);
  }
  await stores.submissions.remove(id);
}

/** Maximum number of applications that one run announces to admins and erases. The next run continues. */
const erasedAtOnce = 100;

const applicationsText = (count: number) => (count === 1 ? '1 application' : `${count} applications`);

/**
 * Announces the deletion of applications that will soon reach the age in the privacy policy (`applicationsKeptYears`),
 * and erases applications on their announced day. An admin has 30 days to keep an application. The activity log has the
 * number of applications, but no personal data.
 * @param at the current time, which the scheduled work checks (`netlify/server/jobs.ts`).
 */
export async function eraseOldApplications(services: Services, at: Date): Promise<void> {
  const { stores } = services;
  const now = at.toISOString();
  const note = (action: string) => stores.activity.create([{ at: now, who: retention, action, subject: '' }]);

  const due = await stores.submissions.announceDeletions(now, erasedAtOnce);
  if (due[0] !== undefined) {
    const first = noticeDay(due[0]);
    await note(`scheduled ${applicationsText(due.length)} for deletion, the first on ${first}`);
    await notifyAdmins(services, {
      key: `deletion:${now.slice(0, 10)}`,
      subject: `Applications will be deleted starting ${first}`,
      paragraphs: [
        `The privacy policy says that the firm deletes applications after ${site.applicationsKeptYears} years. Starting ${first}, the site deletes each application and its resume when the application is ${site.applicationsKeptYears} years old. A deleted application can't be restored.`,
        'To keep an application, for example because of a legal claim, open it under Contact Submissions > Applications and select "Keep after deletion date."',
      ],
    });
  }

  const erased: string[] = [];
  try {
    for (const id of await stores.submissions.overdueIds(now, erasedAtOnce)) {
      await erase({ id, kind: 'application' }, services);
      erased.push(id);
    }
  } finally {
    if (erased.length > 0) {
      await stores.erasures.note({ ids: erased }, now);
      await note(`deleted ${applicationsText(erased.length)} after ${site.applicationsKeptYears} years`);
    }
  }
}

/**
 * Erases all data of a person: rows, words in the search index, messages in the outbox, resumes, and submissions that
 * wait for the database. After an error, the next try finds the remaining data.
 * @returns the data that was found before the erasure.
 */
export async function erasePersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const found = await findPersonalData(email, services);
  await stores.erasures.note({ emails: [email] }, services.now().toISOString());
  await eraseSpooled(sameAddress(email), services);
  for (const one of await stores.submissions.of(email)) await erase(one, services);
  await removeDeletedWords(services.database);
  return found;
}

/** The number of submissions that one query reads, to compare them with the list of erasures. */
const comparedAtOnce = 5_000;

/**
 * Repeats the erasures that are missing from a database restored from a backup. The blob store
 * lists all erasures, with a hash of each person's email address. Submissions that a person sent after the erasure are
 * not erased.
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
  const wasErased = ({ id, email, createdAt }: Sender): boolean =>
    createdAt <= (erasedAt.get(hash('email', email)) ?? '') || erasedAt.has(hash('id', id));
  let erased = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const senders: (Sender & { seq: number })[] = await stores.submissions.senders(after, comparedAtOnce);
    for (const sender of senders.filter(wasErased)) {
      await erase(sender, services);
      erased += 1;
    }
    after = senders.at(-1)?.seq;
  }
  erased += await eraseSpooled(wasErased, services);
  for (const batch of missing) await stores.erasures.accept(batch);
  return erased;
}

const sameAddress =
  (email: string) =>
  (sender: Sender): boolean =>
    sender.email.toLowerCase() === email.toLowerCase();

/** Finds the submissions that wait for the database. */
async function spooledOf(matches: (sender: Sender) => boolean, { stores }: Services): Promise<WaitingSubmission[]> {
  const found: WaitingSubmission[] = [];
  for (const key of await stores.spool.keys()) {
    const waiting = await stores.spool.get(key);
    if (waiting && matches({ ...waiting, email: waiting.input.email })) found.push(waiting);
  }
  return found;
}

async function eraseSpooled(matches: (sender: Sender) => boolean, services: Services): Promise<number> {
  const found = await spooledOf(matches, services);
  for (const waiting of found) {
    await erase(waiting, services);
    await services.stores.spool.remove(waiting.key);
  }
  return found.length;
}
