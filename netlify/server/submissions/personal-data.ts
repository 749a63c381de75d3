import { retention } from '../../../src/domain/activity.ts';
import type { PersonalData, PersonalDataCopy } from '../../../src/domain/personal-data.ts';
import { referenceOf } from '../../../src/domain/submission.ts';
import { site } from '../../../src/site.config.ts';
import { noticeDay, notifyAdmins } from '../mail/notices.ts';
import type { Services } from '../services.ts';
import type { KindName } from './spool.ts';

const kinds: readonly KindName[] = ['inquiries', 'applications'];

/** Finds the data that the site stores about the person with this email address. Ignores upper and lower case. */
export async function findPersonalData(email: string, services: Services): Promise<PersonalData> {
  const { inquiries, applications } = services.stores;
  const [ofInquiries, ofApplications, held, spooled] = await Promise.all([
    inquiries.idsOf(email),
    applications.idsOf(email),
    applications.idsOf(email, true),
    spooledOf(sameAddress(email), services),
  ]);
  return {
    email,
    inquiries: ofInquiries.map(referenceOf),
    applications: ofApplications.map(referenceOf),
    held: held.map(referenceOf),
    waiting: spooled.length,
  };
}

/** Returns all inquiries and applications that are stored under this email address. */
export async function copyPersonalData(email: string, { stores }: Services): Promise<PersonalDataCopy> {
  const all = async <Record>(store: {
    idsOf(email: string): Promise<string[]>;
    get(id: string): Promise<Record | null>;
  }) => {
    const records: Record[] = [];
    for (const id of await store.idsOf(email)) {
      const record = await store.get(id);
      if (record) records.push(record);
    }
    return records;
  };
  return { email, inquiries: await all(stores.inquiries), applications: await all(stores.applications) };
}

/**
 * Erases a submission with its files. The row is deleted last, so the next try after an error still finds it. The
 * database deletes its words in the search index and its messages in the outbox.
 */
async function erase(kind: KindName, id: string, { stores }: Services): Promise<void> {
  if (kind === 'applications') {
    await stores.uploads.removeUsedBy(id);
    await stores.resumes.remove(id);
  }
  await stores[kind].remove(id);
}

/** How long an admin waits for the search index, in milliseconds. A scheduled job removes the remaining words. */
const mergePatienceMs = 2_000;

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

  const due = await stores.applications.announceDeletions(now, erasedAtOnce);
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
    for (const id of await stores.applications.overdueIds(now, erasedAtOnce)) {
      await erase('applications', id, services);
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
  for (const kind of kinds) for (const id of await stores[kind].idsOf(email)) await erase(kind, id, services);
  await stores.searchWords.merge(mergePatienceMs);
  return found;
}

/** The number of submissions that one query reads, to compare them with the list of erasures. */
const comparedAtOnce = 5_000;

interface Sender {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
}

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
  for (const kind of kinds) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const senders: { seq: number; id: string; email: string; createdAt: string }[] = await stores[kind].senders(
        after,
        comparedAtOnce,
      );
      for (const { id } of senders.filter(wasErased)) {
        await erase(kind, id, services);
        erased += 1;
      }
      after = senders.at(-1)?.seq;
    }
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
async function spooledOf(matches: (sender: Sender) => boolean, { stores }: Services) {
  const found: { key: string; id: string; kind: KindName }[] = [];
  for (const key of await stores.spool.keys()) {
    const waiting = await stores.spool.get(key);
    if (waiting && matches({ ...waiting, email: waiting.input.email })) found.push({ ...waiting, key });
  }
  return found;
}

async function eraseSpooled(matches: (sender: Sender) => boolean, services: Services): Promise<number> {
  const found = await spooledOf(matches, services);
  for (const { key, id, kind } of found) {
    await erase(kind, id, services);
    await services.stores.spool.remove(key);
  }
  return found.length;
}
