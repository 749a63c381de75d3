import { beforeEach, describe, expect, test } from 'vitest';
import { aPost, usePosts } from '../../support/samples/posts.ts';

const minute = 60_000;
const hour = 60 * minute;
/** 90 minutes after the start of the tests' clock. */
const soon = '2026-03-02T20:00:00.000Z';

const desk = usePosts({ buildHook: true });
const { get: read, list, save, saved, tick } = desk;
let purged: string[];
beforeEach(() => {
  purged = desk.watchPurges();
});

const published = async () => (await desk.published()).data.map(({ slug }) => slug);
const actions = async () => (await desk.activity()).map(({ who, action, subject }) => `${who} ${action}: ${subject}`);

describe('A scheduled draft', () => {
  test('is public from its time on, with this time, and not a minute earlier', async () => {
    const post = await desk.create({ publishAt: soon });
    expect(post).toMatchObject({ status: 'draft', publishAt: soon, publishedAt: null, firstPublishedAt: null });
    desk.advance(hour + 29 * minute);
    await tick();
    expect(await read(post.id)).toEqual(post);
    expect(await published()).toEqual([]);
    expect([purged, desk.rebuilds()]).toEqual([[], 0]);

    desk.advance(minute);
    await tick();
    const now = desk.services.now().toISOString();
    expect(await read(post.id)).toEqual({
      ...post,
      ...{ status: 'published', publishAt: null, publishedAt: soon, firstPublishedAt: soon },
      ...{ revision: 2, updatedAt: now },
    });
    expect(await published()).toEqual([post.slug]);
    expect([purged, desk.rebuilds()]).toEqual([['posts'], 1]);
    expect(await actions()).toEqual([
      `owner@firm.example published the post as scheduled: ${post.title}`,
      `owner@firm.example scheduled the new post: ${post.title}`,
    ]);
  });

  test('that was public before keeps its first date', async () => {
    const post = await desk.create({ status: 'published' });
    const hidden = await saved(post, { status: 'draft', publishAt: soon });
    desk.advance(2 * hour);
    await tick();
    expect(await read(post.id)).toMatchObject({ publishedAt: soon, firstPublishedAt: post.publishedAt, revision: 3 });
    expect(hidden.publishedAt).toBeNull();
  });

  test('is published once by several instances, and so is each other post', async () => {
    const posts = await Promise.all(['one', 'two', 'three'].map((slug) => desk.create({ slug, publishAt: soon })));
    desk.advance(2 * hour);
    await Promise.all([tick(), tick(), tick()]);
    await tick();
    for (const { id } of posts) expect(await read(id)).toMatchObject({ status: 'published', revision: 2 });
    expect((await actions()).filter((action) => action.includes('published the post as scheduled'))).toHaveLength(3);
    expect([purged, desk.rebuilds()]).toEqual([['posts'], 1]);
  });

  test('is listed as scheduled and not as a draft until then', async () => {
    const post = await desk.create({ publishAt: soon, slug: 'later' });
    await desk.create({ slug: 'some-day' });
    await desk.create({ slug: 'out', status: 'published' });
    const { data, counts } = await list('?status=scheduled&view=summary');
    expect(data.map(({ slug, publishAt }) => [slug, publishAt])).toEqual([['later', soon]]);
    expect(counts).toEqual({ draft: 1, scheduled: 1, published: 1, trash: 0 });
    expect((await list('?status=draft')).data.map(({ slug }) => slug)).toEqual(['some-day']);
    const everybody = await desk.ask('/api/cms/blog-posts/published');
    expect(await everybody.text()).not.toContain('publishAt');
    expect((await read(post.id)).publishAt).toBe(soon);
  });

  test('loses its time when it is published immediately, saved without it, or rescheduled', async () => {
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((slug) => desk.create({ slug, publishAt: soon })),
    );
    expect(await saved(one!, { status: 'published', publishAt: null })).toMatchObject({ publishAt: null });
    const { publishAt: _, ...without } = two!;
    expect((await desk.posts(`/${two!.id}`, { method: 'PUT', json: without })).status).toBe(200);
    await saved(three!, { publishAt: '2026-03-05T09:00:00Z' });
    desk.advance(2 * hour);
    await tick();
    expect(await published()).toEqual(['one']);
    expect(await read(two!.id)).toMatchObject({ status: 'draft', publishAt: null });
    expect(await read(three!.id)).toMatchObject({ publishAt: '2026-03-05T09:00:00.000Z' });
    expect((await actions()).slice(0, 3)).toEqual([
      `owner@firm.example scheduled the post: ${three!.title}`,
      `owner@firm.example unscheduled the post: ${two!.title}`,
      `owner@firm.example published the post: ${one!.title}`,
    ]);
  });

  test('in the trash is not published, and is an ordinary draft after its time', async () => {
    const [early, late] = await Promise.all(['early', 'late'].map((slug) => desk.create({ slug, publishAt: soon })));
    for (const { id } of [early!, late!]) await desk.posts(`/${id}`, { method: 'DELETE' });
    await desk.posts(`/${early!.id}/restore`, { method: 'POST' });
    expect(await read(early!.id)).toMatchObject({ publishAt: soon });
    desk.advance(2 * hour);
    await tick();
    expect(await published()).toEqual(['early']);
    await desk.posts(`/${late!.id}/restore`, { method: 'POST' });
    await tick();
    expect(await read(late!.id)).toMatchObject({ status: 'draft', publishAt: null });
  });

  test('has its time in its versions', async () => {
    const post = await desk.create({ publishAt: soon });
    desk.advance(2 * hour);
    await tick();
    const { data } = await (await desk.posts(`/${post.id}/versions`)).json();
    expect(data).toMatchObject([
      { revision: 2, status: 'published', publishAt: null, savedBy: 'owner@firm.example' },
      { revision: 1, status: 'draft', publishAt: soon, savedBy: 'owner@firm.example' },
    ]);
    expect((await (await desk.posts(`/${post.id}/versions/1`)).json()).data.publishAt).toBe(soon);
  });
});

describe('A time', () => {
  test.for<[string, Record<string, unknown>]>([
    ['has passed', { publishAt: '2026-03-02T18:29:59Z' }],
    ['is now', { publishAt: '2026-03-02T18:30:01.000Z' }],
    ['is not a time', { publishAt: 'tomorrow' }],
    ['does not exist in the calendar', { publishAt: '2027-02-30T10:00:00Z' }],
    ['has no time zone', { publishAt: '2027-03-02T10:00:00' }],
    ['is in a time zone other than UTC', { publishAt: '2027-03-02T10:00:00+01:00' }],
    ['is a number', { publishAt: 1_900_000_000 }],
    ['belongs to a post that is published immediately', { publishAt: soon, status: 'published' }],
  ])('that %s is refused, and the refusal names the field', async ([, changes]) => {
    desk.advance(1_000);
    const created = await desk.posts('', { json: aPost(changes) });
    expect(created.status).toBe(400);
    expect(Object.keys((await created.json()).errors)).toEqual(['publishAt']);
    const post = await desk.create();
    expect(Object.keys((await (await save(post, changes)).json()).errors)).toEqual(['publishAt']);
    expect(await read(post.id)).toEqual(post);
  });

  test('can be written without seconds, and an empty value means none', async () => {
    expect((await desk.create({ publishAt: '2026-11-02T17:00Z' })).publishAt).toBe('2026-11-02T17:00:00.000Z');
    expect((await desk.create({ slug: 'none', publishAt: '' })).publishAt).toBeNull();
  });

  test('can pass while the post is edited, and the same creation can be sent again after it', async () => {
    const sent = { json: aPost({ publishAt: soon, slug: 'sent-twice' }), headers: { 'idempotency-key': 'k1' } };
    const { data } = await (await desk.posts('', sent)).json();
    desk.advance(2 * hour);
    expect((await desk.posts('', sent)).status).toBe(201);
    const again = await saved(data, { title: 'A minute late', revision: data.revision });
    expect(again).toMatchObject({ title: 'A minute late', publishAt: soon });
    expect(await saved(data, { title: 'A minute late', revision: data.revision })).toEqual(again);
    await tick();
    expect(await read(data.id)).toMatchObject({ title: 'A minute late', status: 'published', publishedAt: soon });
  });
});

test('An admin who edits a post when its time comes sees the published post', async () => {
  const post = await desk.create({ publishAt: soon });
  desk.advance(2 * hour);
  await tick();
  const response = await save(post, { title: 'Mine', revision: post.revision });
  expect(response.status).toBe(409);
  const { code, current } = await response.json();
  expect({ code, current }).toMatchObject({ code: 'conflict', current: { status: 'published', revision: 2 } });
  const stale = await save(post, { title: 'Mine', revision: 2 });
  expect((await stale.json()).errors.publishAt).toContain('This time has passed.');
  await saved(post, { title: 'Mine', revision: 2, status: 'published', publishAt: null, keepOriginalDate: true });
  expect(await read(post.id)).toMatchObject({ title: 'Mine', publishedAt: soon });
});
