import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import postDrafts from '../../netlify/functions/post-drafts.ts';
import { type PostDesk, postDesk } from '../support/posts.ts';
import { type Sent, call, runEveryMinute } from '../support/services.ts';

let desk: PostDesk;
beforeEach(async () => {
  desk = await postDesk();
});
afterEach(() => desk.close());

const drafts = (path = '', sent: Sent = {}) =>
  call(postDrafts, `/api/cms/post-drafts${path}`, desk.services, {
    ...sent,
    headers: { ...desk.headers, ...sent.headers },
  });
const keep = (key: string, json: unknown) => drafts(`/${key}`, { method: 'PUT', json });

describe('An unsaved draft', () => {
  test('is stored unfinished, for a post that does not exist yet', async () => {
    const response = await keep('new-1', { title: 'Half a ti', content: '<p>unfinished', publishAt: '2026' });
    expect(response.status).toBe(200);
    const { data } = await response.json();
    expect(data).toEqual({ key: 'new-1', updatedAt: '2026-03-02T18:30:00.000Z', previewPath: '/blog/preview/new-1' });
    expect((await (await drafts('/new-1')).json()).data).toMatchObject({
      key: 'new-1',
      postId: null,
      title: 'Half a ti',
      content: '<p>unfinished',
      slug: '',
      status: 'draft',
      publishAt: '2026',
    });
  });

  test('never changes the post', async () => {
    const post = await desk.create({ status: 'published' });
    await keep(post.id, { postId: post.id, revision: 1, title: 'Not yet', content: '<p>secret</p>' });
    expect((await (await desk.admin(`/${post.id}`)).json()).data).toEqual(post);
  });

  test('is listed, newest first, and deleted when it is done', async () => {
    await keep('one', { title: 'One' });
    desk.advance(1_000);
    await keep('two', { title: 'Two' });
    desk.advance(1_000);
    await keep('one', { title: 'One again' });
    const { data } = await (await drafts()).json();
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['One again', 'Two']);
    expect((await drafts('/one', { method: 'DELETE' })).status).toBe(200);
    expect((await drafts('/one', { method: 'DELETE' })).status).toBe(200);
    expect((await drafts('/one')).status).toBe(404);
  });

  test('is visible only to its author', async () => {
    await keep('mine', { title: 'Mine' });
    const second = { email: 'b@firm.example', passwordHash: '-' };
    await desk.services.database.write({
      sql: 'INSERT INTO admins (email, password_hash, created_at, updated_at) VALUES (?, ?, ?, ?)',
      args: [second.email, '-', '2026-01-01', '2026-01-01'],
    });
    const headers = await desk.signIn(second.email);
    expect((await drafts('/mine', { headers })).status).toBe(404);
    expect(await (await drafts('', { headers })).json()).toEqual({ data: [] });
  });

  test('is deleted after 90 days', async () => {
    await keep('old', { title: 'Old' });
    desk.advance(91 * 24 * 60 * 60_000);
    await runEveryMinute(desk.services);
    expect(await desk.services.stores.postDrafts.list('a@firm.example')).toEqual([]);
  });

  test.for(['a b', 'ü', 'x'.repeat(101)])('cannot have a key like %j', async (key) => {
    expect((await keep(encodeURIComponent(key), { title: 'x' })).status).toBe(404);
  });
});

describe('A link to a draft', () => {
  const links = (key: string, sent: Sent = {}) => drafts(`/${key}/links`, sent);

  test('is created for a draft that exists, listed with its expiration, and revoked', async () => {
    expect((await links('none', { method: 'POST' })).status).toBe(404);
    await keep('one', { title: 'One' });
    const made = await links('one', { method: 'POST' });
    expect(made.status).toBe(201);
    const { data } = await made.json();
    expect(data).toEqual({
      id: expect.any(String),
      path: expect.stringMatching(/^\/blog\/preview\/one\?share=[\w.-]+$/),
      createdAt: '2026-03-02T18:30:00.000Z',
      expiresAt: '2026-03-09T18:30:00.000Z',
    });
    expect((await (await links('one')).json()).data).toMatchObject([{ id: data.id, expiresAt: data.expiresAt }]);
    expect((await drafts(`/one/links/${data.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await drafts(`/one/links/${data.id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await (await links('one')).json()).toEqual({ data: [] });
    const { data: activity } = await desk.services.stores.activity.list({ limit: 9 });
    expect(activity.map(({ action }) => action)).toEqual(['revoked a share link', 'created a share link']);
  });

  test('belongs to the post after a new post is saved', async () => {
    await keep('new-1', { title: 'New' });
    const { data: link } = await (await links('new-1', { method: 'POST' })).json();
    const post = await desk.create({}, { 'idempotency-key': 'new-1' });
    expect(await (await links('new-1')).json()).toEqual({ data: [] });
    expect((await (await links(post.id)).json()).data).toMatchObject([{ id: link.id }]);
  });

  test('is created for a saved post without a draft, and not for a post in the trash', async () => {
    const post = await desk.create();
    expect((await links(post.id, { method: 'POST' })).status).toBe(201);
    await desk.admin(`/${post.id}`, { method: 'DELETE' });
    expect((await links(post.id, { method: 'POST' })).status).toBe(404);
  });

  test('is managed only by its author', async () => {
    await keep('mine', { title: 'Mine' });
    const { data } = await (await links('mine', { method: 'POST' })).json();
    await desk.services.stores.admins.create({ email: 'b@firm.example', passwordHash: '-' }, '2026-01-01T00:00:00Z');
    const headers = await desk.signIn('b@firm.example');
    expect(await (await links('mine', { headers })).json()).toEqual({ data: [] });
    expect((await drafts(`/mine/links/${data.id}`, { method: 'DELETE', headers })).status).toBe(404);
    expect((await links('mine', { method: 'POST', headers })).status).toBe(404);
  });

  test('can be opened directly from a page without scripts', async () => {
    await keep('one', { title: 'One' });
    const response = await links('one', { method: 'POST', headers: { accept: 'text/html' } });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/blog\/preview\/one\?share=/);
  });
});
