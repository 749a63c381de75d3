import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import account from '../../netlify/functions/account.ts';
import activity from '../../netlify/functions/activity.ts';
import blogPosts from '../../netlify/functions/blog-posts.ts';
import submissions from '../../netlify/functions/contact-submissions.ts';
import content from '../../netlify/functions/sections.ts';
import { receiveInquiry } from '../../netlify/server/submissions/receive.ts';
import { lendPlatform } from '../../netlify/server/platform.ts';
import { anotherSession } from '../support/admins.ts';
import { takeLog } from '../support/console.ts';
import { anInquiry } from '../support/inquiries.ts';
import { email, usePasswordSignIn } from '../support/password-sign-in.ts';
import { call, runEveryMinute } from '../support/services.ts';

const admin = usePasswordSignIn();
let site: typeof admin.site;
let authorization: string;
beforeEach(async () => {
  site = admin.site;
  lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
  ({ authorization } = await anotherSession(site.services, email));
});
afterEach(() => lendPlatform(undefined));

const read = (query = '') =>
  call(activity, `/api/settings/activity${query}`, site.services, { headers: { authorization } });
const lines = async (query = '') =>
  (await (await read(query)).json()) as { data: unknown[]; nextCursor: string | null };

describe('The activity record', () => {
  test('shows who changed what and when, newest first, with links', async () => {
    await call(content, '/api/cms/content/hero_title', site.services, {
      method: 'PUT',
      json: { title: 'Books that agree' },
      headers: { authorization },
    });
    site.advance(60_000);
    const receipt = await receiveInquiry(
      anInquiry(),
      { marks: { key: null, fromForm: false }, address: '192.0.2.1' },
      site.services,
    );
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
    const link = `/admin?tab=submissions&submission=${receipt.id}`;
    expect((await lines()).data).toEqual([
      { id: 4, at, who, action: 'exported inquiries as CSV', subject: '(search results only)', link: '' },
      { id: 3, at, who, action: 'released an inquiry', subject: receipt.reference, link },
      { id: 2, at, who, action: 'moved an inquiry to quarantine', subject: receipt.reference, link },
      { id: 1, at: '2026-03-02T18:30:00.000Z', who, action: 'changed the text', subject: 'Main heading', link: '' },
    ]);
  });

  test('links a new post, but not a deleted one', async () => {
    const json = { title: 'Closing the books', slug: 'closing', content: '<p>Hi</p>', status: 'draft' };
    const headers = { authorization };
    const saved = await call(blogPosts, '/api/cms/blog-posts', site.services, { json, headers });
    const { id } = (await saved.json()).data;
    await call(blogPosts, `/api/cms/blog-posts/${id}`, site.services, { method: 'DELETE', headers });
    expect((await lines()).data).toMatchObject([
      { action: 'moved the post to the trash', subject: 'Closing the books', link: '' },
      { action: 'created the post', subject: 'Closing the books', link: `/admin?tab=blog&post=${id}` },
    ]);
  });

  test('shows who signed in and out, and who failed to', async () => {
    const { token } = await (await admin.signIn()).json();
    await admin.signIn({ json: { email, password: 'wrong' } });
    await call(account, '/api/logout', site.services, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    await call(account, '/api/logout', site.services, { method: 'POST' });
    expect((await lines()).data).toMatchObject([
      { who: email, action: 'signed out' },
      { who: email, action: 'failed to sign in with a wrong password' },
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

  test('is deleted after a year', async () => {
    const entry = { who: email, action: 'tried', subject: '' };
    await site.services.stores.activity.create([
      { ...entry, at: '2025-03-01T00:00:00.000Z' },
      { ...entry, at: '2025-03-04T00:00:00.000Z' },
    ]);
    await runEveryMinute(site.services);
    expect((await lines()).data).toMatchObject([{ at: '2025-03-04T00:00:00.000Z' }]);
  });

  test('has at most one entry an hour for the failed sign-ins of an account, so a flood does not fill it', async () => {
    const guess = (json: unknown, n: number) => admin.signIn({ json, address: `198.51.100.${n}` });
    for (let n = 0; n < 20; n += 1) {
      await guess({ email, password: 'wrong' }, n);
      await guess({ email: `nobody${n}@firm.example`, password: 'wrong' }, n);
      site.advance(60_000);
    }
    expect((await lines()).data).toMatchObject([
      { who: 'Someone', action: 'failed to sign in with an unknown email address' },
      { who: email, action: 'failed to sign in with a wrong password' },
    ]);
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
