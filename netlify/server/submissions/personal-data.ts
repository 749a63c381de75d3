import { retention } from '../../../src/domain/activity.ts';
import type { PersonalData, PersonalDataCopy } from '../../../src/domain/personal-data.ts';
import { referenceOf } from '../../../src/domain/submission.ts';
import { site } from '../../../src/site.config.ts';
import { noticeDay, notifyAdmins } from '../outbox/notices.ts';
import type { Services } from '../services.ts';

/** Finds the data that the site stores about the person with this email address. Ignores upper and lower case. */
export async function findPersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const [inquiries, applications, held, spooled] = await Promise.all([
    stores.inquiries.idsOf(email),
    stores.applications.idsOf(email),
    stores.applications.heldIdsOf(email),
    spooledOf(email, services),
  ]);
  return {
    email,
    inquiries: inquiries.map(referenceOf),
    applications: applications.map(referenceOf),
    held: held.map(referenceOf),
    waiting: spooled.inquiries.length + spooled.applications.length,
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
 * Erases an application. The row is deleted last, so the next try after an error still finds the application. Triggers
 * delete its words in the search index and its messages in the outbox.
 */
async function eraseApplication(id: string, { stores }: Services): Promise<void> {
  await stores.uploads.removeUsedBy(id);
  await stores.resumes.remove(id);
  await stores.applications.remove(id);
}

/** How long an admin waits for the search index, in milliseconds. A scheduled job removes the remaining words. */
const mergePatienceMs = 2_000;

/** Maximum number of applications that one run announces to admins and erases. The next run continues. */
const erasedAtOnce = 100;

const applicationsText = (count: number) => (count === 1 ? '1 application' : `${count} applications`);

/**
 * Announces the deletion of applications that will soon reach the age in the privacy policy (`applicationsKeptYears`),
 * and erases applications on their announced day. An admin has 30 days to put an application on hold. The activity log
 * has the number of applications, but no personal data.
 * @param at the current time, from a clock that is trusted (`netlify/server/jobs/trusted-clock.ts`).
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
      const action = `deleted ${applicationsText(erased.length)} after ${site.applicationsKeptYears} years`;
      await stores.activity.create([{ at: at.toISOString(), who: retention, action, subject: '' }]);
    }
  }
}

async function announceDeletions(services: Services, at: Date): Promise<void> {
  const { stores } = services;
  const [first, ...others] = await stores.applications.announceDeletions(at.toISOString(), erasedAtOnce);
  if (first === undefined) return;
  const count = others.length + 1;
  const action = `scheduled ${applicationsText(count)} for deletion, the first on ${noticeDay(first)}`;
  await stores.activity.create([{ at: at.toISOString(), who: retention, action, subject: '' }]);
  await notifyAdmins(services, {
    key: `deletion:${at.toISOString().slice(0, 10)}`,
    subject: `Applications will be deleted starting ${noticeDay(first)}`,
    paragraphs: [
      `The privacy policy says that the firm deletes applications after ${site.applicationsKeptYears} years. Starting ${noticeDay(first)}, the site deletes each application and its resume when the application is ${site.applicationsKeptYears} years old. A deleted application can't be restored.`,
      'To keep an application, for example because of a legal claim, open it under Contact Submissions > Applications and select "Keep after deletion date."',
    ],
  });
}

/**
 * Erases all data of a person: rows, words in the search index, messages in the outbox, resumes, and submissions that
 * wait for the database. After an error, the next try finds the remaining data.
 * @returns the data that was found before the erasure.
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
  await stores.searchWords.merge(mergePatienceMs);
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
