import { retention } from '../../src/domain/activity.ts';
import type { PersonalData, PersonalDataCopy } from '../../src/domain/personal-data.ts';
import { referenceOf } from '../../src/domain/submission.ts';
import { site } from '../../src/site.config.ts';
import { notifyAdmins } from './notices.ts';
import type { Services } from './services.ts';

/** What the site holds of the person with this e-mail address, upper and lower case alike. */
export async function findPersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const [inquiries, applications, held, drafts, spooled] = await Promise.all([
    stores.inquiries.idsOf(email),
    stores.applications.idsOf(email),
    stores.applications.heldIdsOf(email),
    stores.formDrafts.countOf(email),
    spooledOf(email, services),
  ]);
  const waiting = drafts + spooled.inquiries.length + spooled.applications.length;
  return {
    email,
    inquiries: inquiries.map(referenceOf),
    applications: applications.map(referenceOf),
    held: held.map(referenceOf),
    waiting,
  };
}

/** A copy of what is stored under this address, whole. */
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

/** Its upload and its resume go first: what fails is found again. Its words of the search and its messages go with the row. */
async function eraseApplication(id: string, { stores }: Services): Promise<void> {
  await stores.uploads.removeUsedBy(id);
  await stores.resumes.remove(id);
  await stores.applications.remove(id);
}

/** An admin waits so long for the words to leave the search index; the work of every minute does what is left. */
const mergePatienceMs = 2_000;

/** As many a run; what is left waits for the next. */
const erasedAtOnce = 100;

const applicationsText = (count: number) => (count === 1 ? '1 application' : `${count} applications`);

/**
 * Announces which applications are soon kept as long as the privacy policy says (`applicationsKeptYears`), and erases those whose
 * announced day has come. An admin has 30 days to hold one. The activity record says how many, but nothing of whose they were.
 * @param at a time that is trusted.
 */
export async function eraseOldApplications(services: Services, at: Date): Promise<void> {
  await announceDeletions(services, at);
  const { stores } = services;
  const ids = await stores.applications.overdueIds(at.toISOString(), erasedAtOnce);
  const erased: string[] = [];
  try {
    for (const id of ids) {
      await eraseApplication(id, services);
      erased.push(id);
    }
  } finally {
    if (erased.length > 0) {
      await stores.erasures.note({ ids: erased }, at.toISOString());
      const action = `deleted ${applicationsText(erased.length)}, kept for ${site.applicationsKeptYears} years`;
      await stores.activity.create([{ at: at.toISOString(), who: retention, action, subject: '' }]);
    }
  }
}

async function announceDeletions(services: Services, at: Date): Promise<void> {
  const { stores } = services;
  const [first, ...others] = await stores.applications.announceDeletions(at.toISOString(), erasedAtOnce);
  if (first === undefined) return;
  const count = others.length + 1;
  const day = first.slice(0, 10);
  const action = `scheduled ${applicationsText(count)} for deletion, the first on ${day}`;
  await stores.activity.create([{ at: at.toISOString(), who: retention, action, subject: '' }]);
  await notifyAdmins(services, {
    key: `deletion:${at.toISOString().slice(0, 10)}`,
    subject: `Applications will be deleted from ${day} on`,
    paragraphs: [
      `The privacy policy says that applications are deleted after ${site.applicationsKeptYears} years. The next ones are deleted from ${day} on, with their resumes. They cannot be restored after that.`,
      'To keep an application, for example because of a legal claim, open it in the admin area under Contact Submissions, Applications, and press “Keep this application”.',
    ],
  });
}

/**
 * Erases it: rows, words of the search, messages in the outbox, resumes, drafts and what waits for the database. Whatever
 * fails in the middle is still found by the next try.
 * @returns what was erased.
 */
export async function erasePersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const found = await findPersonalData(email, services);
  const spooled = await spooledOf(email, services);
  await stores.erasures.note({ emails: [email] }, services.now().toISOString());
  for (const key of spooled.inquiries) await stores.spool.remove(key);
  for (const key of spooled.applications) {
    const application = await stores.applicationSpool.get(key);
    if (application) await eraseApplication(application.id, services);
    await stores.applicationSpool.remove(key);
  }
  for (const id of await stores.applications.idsOf(email)) await eraseApplication(id, services);
  for (const id of await stores.inquiries.idsOf(email)) await stores.inquiries.remove(id);
  await stores.formDrafts.removeOf(email);
  await stores.searchWords.merge(mergePatienceMs);
  return found;
}

/** Submissions that are compared with the list of erasures in one read. */
const comparedAtOnce = 5_000;

/**
 * Erases again what was erased after the backup from which the database was restored, by the hashes of the erasures that the
 * blobs keep. What a person sent after the erasure stays.
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
  const wasErased = ({ id, email, createdAt }: { id: string; email: string; createdAt: string }): boolean =>
    createdAt <= (erasedAt.get(hash('email', email)) ?? '') || erasedAt.has(hash('id', id));
  let erased = 0;
  const eraseFrom = async (
    store: Services['stores']['inquiries'] | Services['stores']['applications'],
    erase: (id: string) => Promise<void>,
  ): Promise<void> => {
    for (let after = 0; ;) {
      const senders = await store.senders(after, comparedAtOnce);
      for (const sender of senders.filter(wasErased)) {
        await erase(sender.id);
        erased += 1;
      }
      const last = senders.at(-1);
      if (!last) return;
      after = last.seq;
    }
  };
  await eraseFrom(stores.inquiries, (id) => stores.inquiries.remove(id));
  await eraseFrom(stores.applications, (id) => eraseApplication(id, services));
  for (const spool of [stores.spool, stores.applicationSpool]) {
    for (const key of await spool.keys()) {
      const waiting = await spool.get(key);
      if (!waiting || !wasErased({ ...waiting, email: waiting.input.email })) continue;
      await eraseApplication(waiting.id, services);
      await spool.remove(key);
      erased += 1;
    }
  }
  for (const batch of missing) await stores.erasures.accept(batch);
  return erased;
}

async function spooledOf(email: string, { stores }: Services) {
  const same = (other: string | undefined) => other?.toLowerCase() === email.toLowerCase();
  const inquiries: string[] = [];
  const applications: string[] = [];
  for (const key of await stores.spool.keys()) {
    if (same((await stores.spool.get(key))?.input.email)) inquiries.push(key);
  }
  for (const key of await stores.applicationSpool.keys()) {
    if (same((await stores.applicationSpool.get(key))?.input.email)) applications.push(key);
  }
  return { inquiries, applications };
}
