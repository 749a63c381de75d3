import { describe, expect, test } from 'vitest';
import type { PostVersion, PostVersionSummary } from '../../../src/domain/posts/post.ts';
import { usePosts } from '../../support/samples/posts.ts';

const desk = usePosts();

const day = 24 * 60 * 60_000;
const versions = async (id: string): Promise<PostVersionSummary[]> =>
  (await (await desk.posts(`/${id}/versions`)).json()).data;
const version = async (id: string, revision: number): Promise<PostVersion> =>
  (await (await desk.posts(`/${id}/versions/${revision}`)).json()).data;
const { saved } = desk;

describe('The versions of a post', () => {
  test('show each saved text, the time, and the admin', async () => {
    const first = await desk.create({ featuredImage: '/uploads/a.png' });
    const colleague = await desk.colleague();
    const second = await saved(
      first,
      { title: 'Better', slug: 'better', content: '<p>Shorter.</p>', excerpt: '', featuredImage: '' },
      colleague,
    );
    const third = await saved(second, { status: 'published' });

    const savers = ['owner@firm.example', 'b@firm.example', 'owner@firm.example'];
    expect(await versions(first.id)).toEqual(
      [third, second, first].map(({ revision, updatedAt: savedAt, title, status }, index) => ({
        ...{ revision, savedAt, savedBy: savers[index], title, status },
        publishAt: null,
      })),
    );
    expect((await versions(first.id)).map(({ title }) => title)).toEqual(['Better', 'Better', first.title]);
    for (const [revision, post] of [first, second, third].entries()) {
      const { title, slug, content, excerpt, featuredImage, status } = post;
      expect(await version(first.id, revision + 1)).toMatchObject({
        ...{ revision: revision + 1, savedAt: post.updatedAt },
        ...{ title, slug, content, excerpt, featuredImage, status },
      });
    }
  });

  test('do not include a save that was refused, sent twice, or made at the same moment', async () => {
    const post = await desk.create();
    const json = (title: string) => ({ method: 'PUT', json: { ...post, title, revision: post.revision } });
    await Promise.all(['A', 'B'].map((title) => desk.posts(`/${post.id}`, json(title))));
    const [latest] = await versions(post.id);
    expect((await desk.posts(`/${post.id}`, json(latest!.title))).status).toBe(200);
    expect((await desk.posts(`/${post.id}`, json('Late'))).status).toBe(409);
    expect((await desk.posts(`/${post.id}`, { method: 'PUT', json: { ...post, title: '' } })).status).toBe(400);
    expect((await versions(post.id)).map(({ revision }) => revision)).toEqual([2, 1]);
  });

  test('are at most 50, and the versions of one post do not displace those of another', async () => {
    const other = await desk.create({ slug: 'other' });
    await saved(other, { title: 'Other, changed' });
    let post = await desk.create();
    for (let number = 2; number <= 53; number += 1) post = await saved(post, { title: `Save ${number}` });
    const kept = await versions(post.id);
    expect(kept).toHaveLength(50);
    expect([kept[0]!.title, kept.at(-1)!.title]).toEqual(['Save 53', 'Save 4']);
    expect((await desk.posts(`/${post.id}/versions/3`)).status).toBe(404);
    expect(await versions(other.id)).toHaveLength(2);
  });

  test('stay with a post in the trash, return with it, and are deleted when the trash is emptied', async () => {
    const post = await saved(await desk.create(), { title: 'Second' });
    await desk.posts(`/${post.id}`, { method: 'DELETE' });
    expect(await versions(post.id)).toHaveLength(2);
    await desk.posts(`/${post.id}/restore`, { method: 'POST' });
    expect((await versions(post.id)).map(({ title }) => title)).toEqual(['Second', 'Closing the books in five days']);
    await desk.posts(`/${post.id}`, { method: 'DELETE' });
    desk.advance(31 * day);
    await desk.tick();
    expect(await desk.services.stores.posts.versions(post.id)).toEqual([]);
    expect(await desk.services.stores.posts.version(post.id, 1)).toBeNull();
  });

  test('of an older post begin with its text, without a known author', async () => {
    const post = await desk.create();
    await desk.services.database.write({ sql: `UPDATE posts SET saved_by = ''`, args: [] });
    await saved(post, { title: 'After the update' });
    expect((await versions(post.id)).map(({ title, savedBy }) => [title, savedBy])).toEqual([
      ['After the update', 'owner@firm.example'],
      [post.title, null],
    ]);
  });

  test('exist only for saved texts', async () => {
    const post = await desk.create();
    for (const path of [
      '/none/versions',
      '/none/versions/1',
      ...['2', '0', '-1', '1.0', 'x', '9'.repeat(30)].map((r) => `/${post.id}/versions/${r}`),
    ]) {
      const response = await desk.posts(path);
      expect(response.status).toBe(404);
      expect((await response.json()).code).toBe('not_found');
    }
    expect((await desk.posts(`/${post.id}/versions`)).headers.get('cache-control')).toContain('no-store');
  });
});
