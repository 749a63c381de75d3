import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import activity from '../../netlify/functions/activity.ts';
import submissions from '../../netlify/functions/contact-submissions.ts';
import content from '../../netlify/functions/content.ts';
import everyMinute from '../../netlify/functions/every-minute.ts';
import login from '../../netlify/functions/login.ts';
import logout from '../../netlify/functions/logout.ts';
import { hashPassword } from '../../netlify/server/auth/passwords.ts';
import { startSession } from '../../netlify/server/auth/sessions.ts';
import { receiveInquiry } from '../../netlify/server/inquiries.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { takeLog } from '../support/console.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

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
  test('says who changed what, and when, the newest first', async () => {
    await call(content, '/api/cms/content/hero_title', site.services, {
      method: 'PUT',
      json: { title: 'Books that agree' },
      headers: { authorization },
    });
    site.advance(60_000);
    const receipt = await receiveInquiry(anInquiry(), { key: null, fromForm: false, body: {} }, site.services);
    await call(submissions, `/api/contact/submissions/${receipt.id}/quarantine`, site.services, {
      method: 'POST',
      headers: { authorization },
    });
    await call(submissions, `/api/contact/submissions/${receipt.id}/release`, site.services, {
      method: 'POST',
      headers: { authorization },
    });
    await call(submissions, '/api/contact/submissions.csv?q=whitfield', site.services, { headers: { authorization } });
    const at = '2026-03-02T18:31:00.000Z';
    const who = email;
    expect((await lines()).data).toEqual([
      { id: 4, at, who, action: 'exported inquiries as CSV', subject: 'matching "whitfield"' },
      { id: 3, at, who, action: 'released an inquiry', subject: receipt.reference },
      { id: 2, at, who, action: 'put an inquiry into quarantine', subject: receipt.reference },
      { id: 1, at: '2026-03-02T18:30:00.000Z', who, action: 'changed the text', subject: 'hero_title' },
    ]);
  });

  test('names who signed in and out, and who failed to', async () => {
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

  test('holds nothing that was refused', async () => {
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

  test('is read page by page, and by admins alone', async () => {
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
    expect((await call(activity, '/api/settings/activity', site.services)).status).toBe(401);
  });

  test('is forgotten after two years', async () => {
    const entry = { who: email, action: 'tried', subject: '' };
    await site.services.stores.activity.create([
      { ...entry, at: '2024-03-01T00:00:00.000Z' },
      { ...entry, at: '2024-03-04T00:00:00.000Z' },
    ]);
    await everyMinute(new Request('http://site.test'), {} as never, site.services);
    expect((await lines()).data).toMatchObject([{ at: '2024-03-04T00:00:00.000Z' }]);
  });

  test('that cannot be written is missed in the log, and what was done stands', async () => {
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
