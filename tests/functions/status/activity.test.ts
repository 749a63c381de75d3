import { describe, expect, test } from 'vitest';
import { owner, useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';

const { email } = owner;
const site = useApi({ owner: true });

const read = (query = '') => site.admin(`/api/settings/activity${query}`);
const lines = async (query = '') =>
  (await (await read(query)).json()) as { data: unknown[]; nextCursor: string | null };

describe('The activity log', () => {
  test('shows who changed what and when, newest first, with links', async () => {
    await site.admin('/api/cms/content/hero_title', { method: 'PUT', json: { title: 'Books that agree' } });
    site.advance(60_000);
    const receipt = await (await site.ask('/api/contact', { json: anInquiry() })).json();
    await site.admin(`/api/contact/submissions/${receipt.id}/quarantine`, { method: 'POST' });
    await site.admin(`/api/contact/submissions/${receipt.id}/release`, { method: 'POST' });
    const path = '/api/contact/submissions.csv?q=whitfield';
    await (await site.admin(path)).text();
    const at = '2026-03-02T18:31:00.000Z';
    const who = email;
    const link = `/admin?tab=submissions&submission=${receipt.id}`;
    expect((await lines()).data).toEqual([
      { id: 4, at, who, action: 'exported inquiries as CSV', subject: '(search results only)', link: '' },
      { id: 3, at, who, action: 'released an inquiry', subject: receipt.reference, link },
      { id: 2, at, who, action: 'moved an inquiry to quarantine', subject: receipt.reference, link },
      { id: 1, at: '2026-03-02T18:30:00.000Z', who, action: 'changed the section', subject: 'Main heading', link: '' },
    ]);
  });

  test('links a new post, but not a deleted one, and shows a restored post once, also if the request is repeated', async () => {
    const json = { title: 'Closing the books', slug: 'closing', content: '<p>Hi</p>', status: 'draft' };
    const { id } = (await (await site.admin('/api/cms/blog-posts', { json })).json()).data;
    await site.admin(`/api/cms/blog-posts/${id}`, { method: 'DELETE' });
    const deletion = [
      { action: 'moved the post to the trash', subject: 'Closing the books', link: '' },
      { action: 'created the post', subject: 'Closing the books', link: `/admin?tab=blog&post=${id}` },
    ];
    expect((await lines()).data).toMatchObject(deletion);
    const restore = async () => (await site.admin(`/api/cms/blog-posts/${id}/restore`, { method: 'POST' })).status;
    expect([await restore(), await restore()]).toEqual([200, 200]);
    expect((await lines()).data).toMatchObject([{ action: 'restored the post' }, {}, {}]);
  });

  test('shows who signed in and out, and who failed to', async () => {
    const { token } = await (await site.signIn()).json();
    await site.signIn({ json: { email, password: 'wrong' } });
    await site.ask('/api/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    await site.ask('/api/logout', { method: 'POST' });
    expect((await lines()).data).toMatchObject([
      { who: email, action: 'signed out' },
      { who: email, action: 'tried to sign in with a wrong password' },
      { who: email, action: 'signed in' },
    ]);
  });

  test('contains no refused changes', async () => {
    await site.admin('/api/cms/content/hero_title', { method: 'PUT', json: { title: 'x', metadata: '{' } });
    await site.admin('/api/contact/submissions/none/release', { method: 'POST' });
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
    await site.tick();
    expect((await lines()).data).toMatchObject([{ at: '2025-03-04T00:00:00.000Z' }]);
  });

  test('has at most one entry an hour for the failed sign-ins of an account, so a flood does not fill it', async () => {
    const guess = (json: unknown, n: number) => site.signIn({ json, address: `198.51.100.${n}` });
    for (let n = 0; n < 20; n += 1) {
      await guess({ email, password: 'wrong' }, n);
      await guess({ email: `nobody${n}@firm.example`, password: 'wrong' }, n);
      site.advance(60_000);
    }
    expect((await lines()).data).toMatchObject([
      { who: 'Someone', action: 'tried to sign in with an unknown email address' },
      { who: email, action: 'tried to sign in with a wrong password' },
    ]);
  });

  test('that cannot be written is reported in the log, and the action still succeeds', async () => {
    await site.services.database.write({ sql: 'DROP TABLE activity', args: [] });
    const saved = await site.admin('/api/cms/content/hero_title', {
      method: 'PUT',
      json: { title: 'Books that agree' },
    });
    expect(saved.status).toBe(200);
    expect(takeLog()).toEqual([expect.stringContaining('activity not recorded')]);
  });
});
