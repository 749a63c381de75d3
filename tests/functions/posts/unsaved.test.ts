import { describe, expect, test } from 'vitest';
import { usePosts } from '../../support/samples/posts.ts';
import type { Sent } from '../../support/api/services.ts';

const desk = usePosts();

const ask = (path = '', sent?: Sent) => desk.admin(`/api/cms/unsaved${path}`, sent);
const keep = (id: string, text: unknown, { base = null, ...sent }: Sent & { base?: string | null } = {}) =>
  ask(`/post/${id}`, { ...sent, method: 'PUT', json: { base, text } });
const read = async (path: string, sent?: Sent) => (await (await ask(path, sent)).json()).data;
const asColleague = async () => ({ headers: await desk.colleague() });

describe('Unsaved changes', () => {
  test('are stored unfinished, for a post that does not exist yet', async () => {
    const response = await keep('new-1', { title: 'Half a ti', content: '<p>unfinished', publishAt: '2026' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { updatedAt: '2026-03-02T18:30:00.000Z' } });
    expect(await read('/post/new-1')).toEqual({
      by: 'owner@firm.example',
      base: null,
      older: null,
      text: { title: 'Half a ti', content: '<p>unfinished', publishAt: '2026' },
      updatedAt: '2026-03-02T18:30:00.000Z',
    });
    expect(await read('/post/new-2')).toBeNull();
  });

  test('are listed, newest first, and deleted when they are saved or discarded', async () => {
    await keep('one', { title: 'One' });
    desk.advance(1_000);
    await ask('/section/two', { method: 'PUT', json: { base: null, text: { content: 'Two' } } });
    desk.advance(1_000);
    await keep('one', { title: 'One again' });
    expect(await read('')).toMatchObject([
      { kind: 'post', id: 'one', title: 'One again', by: 'owner@firm.example' },
      { kind: 'section', id: 'two', title: '' },
    ]);
    expect((await ask('/post/one', { method: 'DELETE' })).status).toBe(200);
    expect((await ask('/post/one', { method: 'DELETE' })).status).toBe(200);
    expect(await read('/post/one')).toBeNull();
  });

  test('of a colleague are found by an admin who has none, and only their author replaces or deletes them', async () => {
    await keep('shared', { title: 'First' });
    const colleague = await asColleague();
    expect(await read('/post/shared', colleague)).toMatchObject({ by: 'owner@firm.example', text: { title: 'First' } });
    await ask('/post/shared', { ...colleague, method: 'DELETE' });
    desk.advance(1_000);
    await keep('shared', { title: 'Second' }, colleague);
    expect(await read('/post/shared', colleague)).toMatchObject({ by: 'b@firm.example', text: { title: 'Second' } });
    expect(await read('/post/shared')).toMatchObject({ by: 'owner@firm.example', text: { title: 'First' } });
  });

  test('of another tab or computer are neither replaced nor deleted without being seen', async () => {
    const change = (method: 'PUT' | 'DELETE', was: string, title?: string) =>
      ask(`/post/two?was=${encodeURIComponent(was)}`, {
        method,
        ...(title && { json: { base: '1', text: { title } } }),
      });
    const here = (await (await change('PUT', '', 'Here')).json()).data.updatedAt;
    desk.advance(1_000);
    const refused = await change('PUT', '', 'There');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ current: { text: { title: 'Here' }, updatedAt: here } });
    const there = (await (await change('PUT', here, 'There')).json()).data.updatedAt;
    expect((await change('DELETE', here)).status).toBe(409);
    expect(await read('/post/two')).toMatchObject({ text: { title: 'There' } });
    expect((await change('DELETE', there)).status).toBe(200);
    expect((await change('DELETE', there)).status).toBe(200);
  });

  test('to a note are not stored once its submission is erased', async () => {
    await ask('/note/erased', { method: 'PUT', json: { base: '', text: { note: 'Too late' } } });
    expect(await read('/note/erased')).toBeNull();
  });

  test('are deleted after 90 days', async () => {
    await keep('old', { title: 'Old' });
    desk.advance(91 * 24 * 60 * 60_000);
    await desk.tick();
    expect(await desk.services.stores.unsaved.list()).toEqual([]);
  });

  test.for(['/post/a b', '/post/ü', `/post/${'x'.repeat(101)}`, '/file/a'])('have no address like %j', async (path) => {
    expect((await ask(encodeURI(path), { method: 'PUT', json: { text: {} } })).status).toBe(404);
  });
});

describe('A link to a draft', () => {
  const links = (key: string, sent: Sent = {}, link = '') => desk.posts(`/${key}/links${link}`, sent);
  const share = () => links('one', { method: 'POST' });
  const tokenOf = async (shared: Response) => (await shared.json()).data.path.split('/').at(-1) as string;
  const open = (token: string, { stores } = desk.services) => stores.shareLinks.open(token);
  const day = 24 * 60 * 60_000;

  test('is created for a draft that exists, listed with its expiration, and revoked', async () => {
    expect((await links('none', { method: 'POST' })).status).toBe(404);
    await keep('one', { title: 'One' });
    const made = await links('one', { method: 'POST' });
    expect(made.status).toBe(201);
    const { data } = await made.json();
    expect(data).toEqual({
      id: expect.any(String),
      path: expect.stringMatching(/^\/blog\/preview\/[\w.-]{100,}$/),
      createdAt: '2026-03-02T18:30:00.000Z',
      expiresAt: '2026-03-09T18:30:00.000Z',
    });
    expect((await (await links('one')).json()).data).toMatchObject([{ id: data.id, expiresAt: data.expiresAt }]);
    expect((await links('one', { method: 'DELETE' }, `/${data.id}`)).status).toBe(200);
    expect((await links('one', { method: 'DELETE' }, `/${data.id}`)).status).toBe(404);
    expect(await (await links('one')).json()).toEqual({ data: [] });
    expect(await desk.activity()).toMatchObject([
      { action: 'revoked a share link' },
      { action: 'created a share link' },
    ]);
  });

  test('shows the draft for a week, and contains no person’s name', async () => {
    await keep('one', { title: 'One' });
    const token = await tokenOf(await share());
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('owner');
    desk.advance(7 * day - 1_000);
    expect(await open(token)).toMatchObject({ email: 'owner@firm.example', key: 'one' });
    desk.advance(2_000);
    expect(await open(token)).toBeNull();
  });

  test('shows nothing if someone changed it, or if the secret of the site has changed', async () => {
    await keep('one', { title: 'One' });
    const token = await tokenOf(await share());
    expect(await open(`${token}x`)).toBeNull();
    const variables = { SESSION_SECRET: 'another secret, as long as the first' };
    expect(await open(token, desk.anotherProcess({ variables }))).toBeNull();
  });

  test('is refused if the draft has 20 active ones, and an expired one does not count', async () => {
    await keep('one', { title: 'One' });
    for (let link = 0; link < 20; link += 1) expect((await share()).status).toBe(201);
    expect((await share()).status).toBe(409);
    desk.advance(7 * day + 1_000);
    await desk.renewSession();
    expect((await share()).status).toBe(201);
    await desk.passTime(2 * day);
    expect(await desk.rows('SELECT id FROM share_links')).toHaveLength(1);
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
    await desk.posts(`/${post.id}`, { method: 'DELETE' });
    expect((await links(post.id, { method: 'POST' })).status).toBe(404);
  });

  test('is managed only by its author', async () => {
    await keep('mine', { title: 'Mine' });
    const { data } = await (await links('mine', { method: 'POST' })).json();
    const headers = await desk.colleague();
    expect(await (await links('mine', { headers })).json()).toEqual({ data: [] });
    expect((await links('mine', { method: 'DELETE', headers }, `/${data.id}`)).status).toBe(404);
    expect((await links('mine', { method: 'POST', headers })).status).toBe(404);
  });
});
