import { describe, expect, test } from 'vitest';
import { text } from '../../../netlify/server/db/database.ts';
import type { ApplicationPage } from '../../../src/domain/submissions/application.ts';
import { yearsFrom } from '../../../src/domain/submissions/application.ts';
import { site as firm } from '../../../src/site.config.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { anApplication } from '../../support/samples/resumes.ts';

const minute = 60_000;
/** The deletions run every hour. */
const hour = 60 * minute;
const day = 24 * hour;
const site = useApi();
const { tick } = site;

let applied = 0;
async function apply(marks: Record<string, string> = {}): Promise<string> {
  // The counter makes each application different, because identical ones count as one.
  applied += 1;
  expect((await site.apply({ coverLetter: `Letter ${applied}`, ...marks })).status).toBe(201);
  const [row] = await site.rows('SELECT id FROM submissions ORDER BY seq DESC LIMIT 1');
  return text(row?.id);
}
/** Stores applications and resumes directly, because sending a form for each would be slow. */
async function keep(count: number): Promise<void> {
  const { stores, now } = site.services;
  for (let index = 0; index < count; index += 1) {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    await stores.submissions.create('application', {
      id,
      suspicions: [],
      createdAt: now().toISOString(),
      input: { ...anApplication(), position: '', experience: '' },
      resume: { name: 'a.pdf', kind: 'pdf', size: 1 },
    });
    await stores.resumes.create(id, new Uint8Array([index % 256]));
  }
}
/** Advances the clock to `msBefore` milliseconds before the deletion date of an application that is sent now. */
function advanceTo(msBefore: number): void {
  const now = site.services.now().toISOString();
  site.advance(Date.parse(yearsFrom(now, firm.applicationsKeptYears)) - Date.parse(now) - msBefore);
}
/**
 * Advances the clock to `msBefore` milliseconds before the deletion date, and runs the scheduled work meanwhile, so the
 * admins get the email about the deletion.
 */
async function announceThenAdvanceTo(msBefore: number): Promise<void> {
  advanceTo(30 * day);
  await tick();
  await tick();
  // The second hundred is announced a day later.
  await site.passTime(day);
  await site.passTime(29 * day - msBefore);
}
const keepIt = async (id: string, kept = true) => {
  await site.renewSession();
  return await site.admin(`/api/contact/applications/${id}/kept`, { json: { kept } });
};
const notices = async () => {
  const rows = await site.rows('SELECT subject, text FROM outbox WHERE submission IS NULL ORDER BY created_at, id');
  return rows.map((row) => `${text(row.subject)}: ${text(row.text)}`);
};
const rowsOf = async (query: string) => (await site.rows(query)).length;
const allApplications = `SELECT 1 FROM submissions WHERE kind = 'application'`;
const resumes = async () => (await site.blobs('resumes').list()).blobs.length;
const list = async (query = ''): Promise<ApplicationPage> => {
  await site.renewSession();
  return await site.read(`/api/contact/applications${query}`);
};
const entries = async () => (await site.activity()).filter(({ who }) => who === 'The site');

test('A resume that a crash has left without its application is deleted after a day', async () => {
  await apply();
  await site.services.stores.resumes.create('left', new Uint8Array([1]));
  await tick();
  await site.passTime(day - hour);
  expect(await resumes()).toBe(2);
  await site.passTime(hour);
  expect(await resumes()).toBe(1);
  // The same person tries again, within a day of the next crash.
  await site.services.stores.resumes.create('left', new Uint8Array([1]));
  await site.passTime(hour);
  expect(await resumes()).toBe(2);
});

describe('An application at the end of the retention period', () => {
  test('is erased with its resume, emails and search text, and not a minute earlier', async () => {
    await apply();
    await apply({ website: 'autofilled' });
    await site.ask('/api/contact', { json: anInquiry() });
    await announceThenAdvanceTo(minute);
    expect(await rowsOf(allApplications)).toBe(2);
    const young = await apply();
    site.advance(hour);
    await tick();
    expect((await list()).data.map(({ id }) => id)).toEqual([young]);
    expect(await rowsOf(allApplications)).toBe(1);
    expect(
      await rowsOf(`SELECT 1 FROM outbox JOIN submissions s ON s.id = submission WHERE kind = 'application'`),
    ).toBe(2);
    expect(await rowsOf(`SELECT 1 FROM submissions_words WHERE submissions_words MATCH 'mara'`)).toBe(1);
    expect(await resumes()).toBe(1);
    expect(await rowsOf(`SELECT 1 FROM submissions WHERE kind = 'inquiry'`)).toBe(1);
  });

  test('is erased together with at most a hundred others', async () => {
    await keep(130);
    await announceThenAdvanceTo(0);
    expect(await rowsOf(allApplications)).toBe(30);
    expect(await resumes()).toBe(30);
    await site.passTime(day);
    expect(await rowsOf(allApplications)).toBe(0);
    expect(await resumes()).toBe(0);
    expect((await entries()).map(({ action }) => action)).toEqual([
      'deleted 30 applications after 5 years',
      'deleted 100 applications after 5 years',
      'scheduled 30 applications for deletion, the first on March 3, 2031',
      'scheduled 100 applications for deletion, the first on March 2, 2031',
    ]);
  });

  test('is tried again if its resume could not be erased, and other erasures are recorded', async () => {
    await keep(3);
    await announceThenAdvanceTo(minute);
    site.advance(minute);
    const { stores } = site.services;
    let left = 1;
    const remove = async (id: string) => {
      if (left === 0) throw new Error('no blobs');
      left -= 1;
      await stores.resumes.remove(id);
    };
    await tick({ ...site.services, stores: { ...stores, resumes: { ...stores.resumes, remove } } });
    expect(takeLog()).toEqual([expect.stringContaining('could not delete old applications')]);
    expect(await rowsOf(allApplications)).toBe(2);
    await tick();
    expect(await rowsOf(allApplications)).toBe(0);
    expect(await resumes()).toBe(0);
    expect(await entries()).toHaveLength(3);
  });
});

test('A wrong clock is trusted after it was steady for a day, and then the site announces deletions for 30 days', async () => {
  await apply();
  await tick();
  site.advance(5 * 365 * day);
  await tick();
  await site.passTime(day - minute);
  expect(await rowsOf('SELECT 1 FROM submissions WHERE delete_at IS NOT NULL')).toBe(0);
  site.advance(hour);
  await tick();
  const { data } = await list();
  expect(data[0]?.keptUntil).toBe(new Date(site.services.now().getTime() + 30 * day).toISOString());
  await site.passTime(30 * day);
  expect(await rowsOf(allApplications)).toBe(0);
});

describe('An admin', () => {
  test('is notified by email 30 days before, once a day', async () => {
    // Without a mail server, the admins get no email.
    await site.restart({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@firm.example' });
    await site.headers();
    await apply();
    advanceTo(30 * day);
    await tick();
    await tick();
    expect(await notices()).toEqual([
      expect.stringMatching(/^Applications will be deleted starting March 2, 2031: [^]*Keep after deletion date/),
    ]);
    takeLog();
  });

  test('can keep an application, and later allow its deletion', async () => {
    const kept = await apply();
    await apply();
    advanceTo(30 * day);
    await tick();
    expect((await list()).counts.leaving).toBe(2);
    expect(await (await keepIt(kept)).json()).toMatchObject({ kept: true });
    expect((await list()).counts.leaving).toBe(1);
    await site.passTime(40 * day);
    expect((await list()).data.map(({ id }) => id)).toEqual([kept]);

    await keepIt(kept, false);
    await site.passTime(hour);
    await site.passTime(30 * day - minute);
    expect((await list()).data).toMatchObject([{ id: kept, kept: false }]);
    await site.passTime(hour);
    expect((await list()).data).toEqual([]);
  });

  test('sees before erasing a person which applications are kept', async () => {
    const id = await apply();
    await keepIt(id);
    const { reference, email } = (await list()).data[0]!;
    const found = await site.admin('/api/contact/personal-data', { json: { email } });
    expect(await found.json()).toMatchObject({ applications: [reference], held: [reference] });
    await site.admin('/api/contact/erase', { json: { email } });
    expect((await list()).data).toEqual([]);
  });

  test('sees how long an application is kept', async () => {
    await apply();
    expect((await list()).data).toMatchObject([
      { createdAt: '2026-03-02T18:30:00.000Z', keptUntil: '2031-03-02T18:30:00.000Z' },
    ]);
  });

  test('sees on every screen, 30 days before, how many applications will be deleted', async () => {
    const handled = await apply();
    await apply({ website: 'autofilled' });
    await site.admin(`/api/contact/applications/${handled}/handled`, { json: { handled: true } });
    advanceTo(30 * day + 1);
    await apply();
    expect((await list()).counts).toEqual({ inbox: 1, handled: 1, quarantine: 1, leaving: 0 });
    site.advance(1);
    expect((await list('?status=quarantine')).counts.leaving).toBe(2);
  });
});
