import type { PersonalData, PersonalDataCopy } from '../../src/domain/personal-data.ts';
import { referenceOf } from '../../src/domain/submission.ts';
import type { Services } from './services.ts';

/** What the site holds of the person with this e-mail address, upper and lower case alike. */
export async function findPersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const [inquiries, applications, drafts, spooled] = await Promise.all([
    stores.inquiries.idsOf(email),
    stores.applications.idsOf(email),
    stores.formDrafts.countOf(email),
    spooledOf(email, services),
  ]);
  const waiting = drafts + spooled.inquiries.length + spooled.applications.length;
  return { email, inquiries: inquiries.map(referenceOf), applications: applications.map(referenceOf), waiting };
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

/**
 * Erases it: rows, words of the search, mails in the outbox, resumes, drafts and what waits for the database. A resume goes
 * before its row, so that what fails in the middle is still found by the next try.
 * @returns what was erased.
 */
export async function erasePersonalData(email: string, services: Services): Promise<PersonalData> {
  const { stores } = services;
  const found = await findPersonalData(email, services);
  const spooled = await spooledOf(email, services);
  for (const key of spooled.inquiries) await stores.spool.remove(key);
  for (const key of spooled.applications) {
    const application = await stores.applicationSpool.get(key);
    if (application) await stores.resumes.remove(application.id);
    await stores.applicationSpool.remove(key);
  }
  for (const id of await stores.applications.idsOf(email)) {
    await stores.resumes.remove(id);
    await stores.applications.remove(id);
  }
  for (const id of await stores.inquiries.idsOf(email)) await stores.inquiries.remove(id);
  await stores.formDrafts.removeOf(email);
  return found;
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
