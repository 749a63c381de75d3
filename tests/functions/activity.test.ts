import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import activity from '../../netlify/functions/activity.ts';
import submissions from '../../netlify/functions/contact-submissions.ts';
import content from '../../netlify/functions/sections.ts';
import login from '../../netlify/functions/login.ts';
import logout from '../../netlify/functions/logout.ts';
import { startSession } from '../../netlify/server/auth/sessions.ts';
import { receiveInquiry } from '../../netlify/server/submissions/inquiries.ts';
import { sql } from '../../netlify/server/db/database.ts';
import { lendPlatform } from '../../netlify/server/platform/platform.ts';
import { countRefusal } from '../../netlify/server/security/trail.ts';
import { takeLog } from '../support/console.ts';
import { anInquiry } from '../support/inquiries.ts';
import { hashPassword } from '../support/passwords.ts';
import { type TestServices, call, runEveryMinute, testServices } from '../support/services.ts';

const email = 'owner@firm.example';
const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

let site: TestServices;
let authorization: string;
beforeEach(async () => {
  site = await testServices();
  lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
  await site.services.stores.admins.createFirst({ email, passwordHash }, '2026-01-01T00:00:00Z');
  const { token } = await startSession(email, new Request('http://site.test'), site.services);
  authorization = `Bearer ${token}`;
});
afterEach(async () => {
  lendPlatform(undefined);
  await site.close();
});

const read = (query = '') =>
  call(activity, `/api/settings/activity${query}`, site.services, { headers: { authorization } });
const lines = async (query = '') =>
  (await (await read(query)).json()) as { data: unknown[]; nextCursor: string | null };

describe('The activity record', () => {
  test('shows who changed what and when, newest first', async () => {
    await call(content, '/api/cms/content/hero_title', site.services, {
      method: 'PUT',
      json: { title: 'Books that agree' },
      headers: { authorization },
    });
    site.advance(60_000);
    const receipt = await receiveInquiry(anInquiry(), { key: null, fromForm: false }, site.services);
    await call(submissions, `/api/contact/submissions/${receipt.id}/quarantine`, site.services, {
      method: 'POST',
      headers: { authorization },
    });
    await call(submissions, `/api/contact/submissions/${receipt.id}/release`, site.services, {
      method: 'POST',
      headers: { authorization },
    });
    const path = '/api/contact/submissions.csv?q=whitfield';
    await (await call(submissions, path, site.services, { headers: { authorization } })).text();
    const at = '2026-03-02T18:31:00.000Z';
    const who = email;
    const once = { kind: 'change', count: 1 };
    expect((await lines()).data).toEqual([
      { id: 4, at, who, action: 'exported inquiries as CSV', subject: '(search results only)', ...once },
      { id: 3, at, who, action: 'released an inquiry', subject: receipt.reference, ...once },
      { id: 2, at, who, action: 'moved an inquiry to quarantine', subject: receipt.reference, ...once },
      { id: 1, at: '2026-03-02T18:30:00.000Z', who, action: 'changed the text', subject: 'Main heading', ...once },
    ]);
  });

  test('shows who signed in and out, and who failed to', async () => {
    const signIn = (json: unknown) => call(login, '/api/login', site.services, { json });
    const { token } = await (await signIn({ email, password })).json();
    await signIn({ email, password: 'wrong' });
    await call(logout, '/api/logout', site.services, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    await call(logout, '/api/logout', site.services, { method: 'POST' });
    expect((await lines()).data).toMatchObject([
      { who: email, action: 'signed out' },
      { who: email, action: 'failed to sign in', subject: 'with a wrong password' },
      { who: email, action: 'signed in' },
    ]);
  });

  test('contains no refused changes', async () => {
    await call(content, '/api/cms/content/hero_title', site.services, {
      method: 'PUT',
      json: { title: 'x', metadata: '{' },
      headers: { authorization },
    });
    await call(submissions, '/api/contact/submissions/none/release', site.services, {
      method: 'POST',
      headers: { authorization },
    });
    expect((await lines()).data).toEqual([]);
  });

  test('can be read page by page', async () => {
    const entry = (index: number) => ({
      at: '2026-03-02T18:30:00.000Z',
      who: email,
      action: 'tried',
      subject: `${index}`,
    });
    await site.services.stores.activity.create(Array.from({ length: 5 }, (_, index) => entry(index)));
    const first = await lines('?limit=3');
    const second = await lines(`?limit=3&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toMatchObject([4, 3, 2, 1, 0].map((index) => ({ subject: `${index}` })));
    expect(second.nextCursor).toBeNull();
    expect((await read('?cursor=nonsense')).status).toBe(400);
  });

  test('is deleted after two years', async () => {
    const entry = { who: email, action: 'tried', subject: '' };
    await site.services.stores.activity.create([
      { ...entry, at: '2024-03-01T00:00:00.000Z' },
      { ...entry, at: '2024-03-04T00:00:00.000Z' },
    ]);
    await runEveryMinute(site.services);
    expect((await lines()).data).toMatchObject([{ at: '2024-03-04T00:00:00.000Z' }]);
  });

  test('keeps its entries when a stolen session floods it: further actions are only counted', async () => {
    const { stores, now } = site.services;
    const at = now().toISOString();
    const first = { at, who: email, action: 'added a passkey', subject: 'of the thief' };
    await stores.activity.create([first]);
    const flood = Array.from({ length: 1_500 }, (_, index) => ({
      ...{ at, who: email, action: 'changed the text', subject: `${index}` },
    }));
    for (let from = 0; from < flood.length; from += 100) await stores.activity.create(flood.slice(from, from + 100));
    // Adds 12,000 entries. A log with a limit on the number of entries would drop the first entry.
    await site.services.database.write(
      sql(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
         INSERT INTO activity (at, who, action, subject) SELECT ?, ?, 'changed the text', i FROM n`,
        at,
        email,
      ),
    );
    await runEveryMinute(site.services);
    const rows = await site.services.database.read(
      sql(`SELECT action, subject, count FROM activity WHERE seq = 1 OR count > 1`),
    );
    expect(rows.map(({ action, subject, count }) => ({ action, subject, count }))).toEqual([
      { action: 'added a passkey', subject: 'of the thief', count: 1 },
      { action: 'changed the text', subject: '', count: 500 },
    ]);
  });

  test('deletes its oldest entries beyond 10,000, a thousand at a time, but none younger than 90 days', async () => {
    const fill = (at: string, count: number) =>
      site.services.database.write(
        sql(
          `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           INSERT INTO activity (at, who, action, subject) SELECT ?, ?, 'changed the text', i FROM n`,
          count,
          at,
          email,
        ),
      );
    await fill('2025-10-01T00:00:00.000Z', 2_500);
    await fill('2026-02-01T00:00:00.000Z', 11_000);
    const left = async () => {
      await runEveryMinute(site.services);
      const [row] = await site.services.database.read(sql('SELECT count(*) AS count FROM activity'));
      return Number(row?.count);
    };
    expect([await left(), await left(), await left(), await left()]).toEqual([12_500, 11_500, 11_000, 11_000]);
  });

  test('counts failed sign-ins by the hour: a flood of them adds one entry', async () => {
    const { stores, now } = site.services;
    for (let n = 0; n < 50; n += 1) {
      const at = now().toISOString();
      await stores.activity.create([{ at, who: email, action: 'failed to sign in', subject: 'with a wrong password' }]);
      site.advance(1_000);
    }
    expect((await lines('?kind=sign-in')).data).toMatchObject([{ who: email, count: 50, kind: 'sign-in' }]);
  });

  test('counts refusals without personal data, and a flood of 10,000 adds a few entries', async () => {
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    for (let n = 0; n < 3; n += 1) {
      const refused = await call(login, '/api/login', site.services, { json: { email, password }, headers: foreign });
      expect(refused.status).toBe(403);
    }
    for (let n = 0; n < 10_000; n += 1) countRefusal('tooMany', `/made-up/${n}`);
    await runEveryMinute(site.services);
    const { data } = (await lines('?kind=refused&limit=200')) as {
      data: { action: string; subject: string; count: number }[];
    };
    expect(data).toContainEqual(
      expect.objectContaining({ action: 'blocked a request (403)', subject: '/api/login', who: '' }),
    );
    expect(data.length).toBeLessThanOrEqual(52);
    const tooMany = data.filter(({ action }) => action === 'blocked a request that came too fast (429)');
    expect(tooMany.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(JSON.stringify(data)).not.toMatch(/192\.0\.2|elsewhere\.example/);
  });

  test('that cannot be written is reported in the log, and the action still succeeds', async () => {
    await site.services.database.write({ sql: 'DROP TABLE activity', args: [] });
    const saved = await call(content, '/api/cms/content/hero_title', site.services, {
      method: 'PUT',
      json: { title: 'Books that agree' },
      headers: { authorization },
    });
    expect(saved.status).toBe(200);
    expect(takeLog()).toEqual([expect.stringContaining('activity not recorded')]);
  });
});
