import { describe, expect, test } from 'vitest';
import type { PostPage, PostRecord } from '../../../src/domain/posts/post.ts';
import { aPost, usePosts } from '../../support/samples/posts.ts';

const desk = usePosts();

const day = 24 * 60 * 60_000;
const { get, list, published, save, saved } = desk;
const activity = async () => (await desk.activity()).map(({ action }) => action);

describe('A new post', () => {
  test('is a draft unless it is published, and is returned as it was written', async () => {
    const response = await desk.posts('', {
      json: { title: ' Books, closed ', slug: 'Books-Closed', content: '<p>One</p>' },
    });
    expect(response.status).toBe(201);
    const { success, id, data } = await response.json();
    expect({ success, data }).toMatchObject({
      success: true,
      data: { id, title: 'Books, closed', slug: 'books-closed', status: 'draft', publishedAt: null, revision: 1 },
    });
    expect(data).toMatchObject({ excerpt: null, featuredImage: null, firstPublishedAt: null, deletedAt: null });
    expect(await get(id)).toEqual(data);
  });

  test('gets its publication date from the server, not from the client', async () => {
    const post = await desk.create({ status: 'published', publishedAt: '1999-01-01T00:00:00.000Z' });
    expect(post.publishedAt).toBe(post.createdAt);
    expect(post.firstPublishedAt).toBe(post.createdAt);
  });

  test('is stored once, however often the same request is sent', async () => {
    const sent = { json: aPost(), headers: { 'idempotency-key': 'k1' } };
    const answers = await Promise.all([desk.posts('', sent), desk.posts('', sent), desk.posts('', sent)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).id));
    expect(new Set(ids).size).toBe(1);
    expect((await list()).data).toHaveLength(1);
    expect(await activity()).toEqual(['created the post']);
  });

  test.for<[string, Record<string, unknown>, string]>([
    ['no title', { title: ' ' }, 'title'],
    ['no slug', { slug: '' }, 'slug'],
    ['a slug with a slash', { slug: 'a/b' }, 'slug'],
    ['a slug with an underscore at its end', { slug: 'a_' }, 'slug'],
    ['no content', { content: '' }, 'content'],
    ['content without readable text', { content: '<p> &nbsp;</p><script>x</script>' }, 'content'],
    ['a picture with an http URL', { featuredImage: 'http://x.example/a.png' }, 'featuredImage'],
    ['a picture with a javascript URL', { featuredImage: 'javascript:alert(1)' }, 'featuredImage'],
    ['a picture with a URL of another host', { featuredImage: '//x.example/a.png' }, 'featuredImage'],
    ['an unknown status', { status: 'secret' }, 'status'],
    ['a revision that is not a number', { revision: 'one' }, 'revision'],
  ])('with %s is refused, and the refusal names the field', async ([, changes, field]) => {
    const response = await desk.posts('', { json: aPost(changes) });
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json()).errors)).toEqual([field]);
    expect((await list()).data).toEqual([]);
  });

  test.for([
    ['300,000 characters', 'x'.repeat(300_000), null],
    ['300,001 characters', 'x'.repeat(300_001), 'Please use at most 300,000 characters, or write two posts.'],
    ['4,000 paragraphs', '<p>x</p>'.repeat(4_000), null],
    ['4,001 paragraphs', '<p>x</p>'.repeat(4_001), expect.stringContaining('too many elements')],
    ['20,001 spaces that do not break', `x${'&nbsp;'.repeat(20_001)}`, expect.stringContaining('too many elements')],
    ['501 pictures', '<img src="/a.png">'.repeat(501), 'Please use at most 500 pictures, or write two posts.'],
  ] as const)('of %s is saved, or refused with the limit', async ([, content, problem]) => {
    const response = await desk.posts('', { json: aPost({ content }) });
    expect(response.status).toBe(problem === null ? 201 : 400);
    expect((await response.json()).errors?.content ?? null).toEqual(problem);
  });
});

describe('A slug', () => {
  test('belongs to one post, and the refusal suggests a free one', async () => {
    await desk.create();
    await desk.create({ slug: 'closing-the-books-in-five-days-2' });
    const response = await desk.posts('', { json: aPost() });
    expect(response.status).toBe(409);
    const { message, code, errors } = await response.json();
    expect(code).toBe('conflict');
    expect(message).toContain('"closing-the-books-in-five-days"');
    expect(errors.suggestion).toBe('closing-the-books-in-five-days-3');
    await desk.create({ slug: errors.suggestion });
  });

  test('goes to one of two posts that are created at the same moment', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => desk.posts('', { json: aPost({ title: `T${n}` }) })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  test('cannot be taken from another post with a save', async () => {
    const one = await desk.create();
    const other = await desk.create({ slug: 'other' });
    const response = await save(other, { slug: one.slug });
    expect(response.status).toBe(409);
    expect((await response.json()).errors.suggestion).toBe(`${one.slug}-2`);
    expect(await get(other.id)).toEqual(other);
  });

  test('can have the maximum length and still gets a free variant', async () => {
    const slug = 'a'.repeat(120);
    await desk.create({ slug });
    const { errors } = await (await desk.posts('', { json: aPost({ slug }) })).json();
    expect((await desk.create({ slug: errors.suggestion })).slug).toHaveLength(116);
  });
});

describe('Saving', () => {
  test('sets the date of every published save, and keeps the first', async () => {
    const draft = await desk.create();
    const first = await saved(draft, { status: 'published' });
    expect(first.publishedAt).toBe(first.updatedAt);
    const second = await saved(first, { title: 'Better' });
    expect(second.publishedAt! > first.publishedAt!).toBe(true);
    expect(second).toMatchObject({ firstPublishedAt: first.publishedAt, createdAt: draft.createdAt, revision: 3 });
    const back = await saved(second, { status: 'draft' });
    expect(back).toMatchObject({ publishedAt: null, firstPublishedAt: first.publishedAt });
    const again = await saved(back, { status: 'published' });
    expect(again).toMatchObject({ publishedAt: again.updatedAt, firstPublishedAt: first.publishedAt });
  });

  test('keeps the date if the original date is kept', async () => {
    const post = await desk.create({ status: 'published' });
    const kept = await saved(post, { title: 'A typo less', keepOriginalDate: true });
    expect(kept).toMatchObject({ title: 'A typo less', publishedAt: post.publishedAt });
    expect(kept.updatedAt > post.updatedAt).toBe(true);
    const hidden = await saved(kept, { status: 'draft' });
    expect(await saved(hidden, { status: 'published', keepOriginalDate: true })).toMatchObject({
      publishedAt: post.publishedAt,
    });
    const draft = await desk.create({ slug: 'never-out' });
    const out = await saved(draft, { status: 'published', keepOriginalDate: true });
    expect(out.publishedAt).toBe(out.updatedAt);
  });

  test('that changed the date lets an admin put the earlier date back, once', async () => {
    const post = await desk.create({ status: 'published' });
    const sameDay = await saved(post, { title: 'The same day' });
    expect(sameDay.dateBefore).toBeNull();
    desk.advance(2 * 24 * 3600_000);
    const today = await saved(sameDay, { title: 'Two days later' });
    const later = await saved(today, { title: 'A typo less' });
    expect(later).toMatchObject({ dateBefore: today.dateBefore, publishedAt: later.updatedAt });
    const putBack = () => desk.posts(`/${post.id}/date/put-back`, { method: 'POST' });
    const { data } = await (await putBack()).json();
    expect(data).toMatchObject({ title: 'A typo less', publishedAt: today.dateBefore, dateBefore: null });
    expect((await putBack()).status).toBe(409);
  });

  test('by two admins at the same time keeps one text and shows it to the other admin, who can then save', async () => {
    const post = await desk.create();
    const both = await Promise.all(['A', 'B'].map((title) => save(post, { title, revision: post.revision })));
    const [kept, refused] = both.toSorted((one, other) => one.status - other.status);
    expect([kept?.status, refused?.status]).toEqual([200, 409]);
    const { data: theirs } = await kept!.json();
    expect(await refused!.json()).toMatchObject({ code: 'conflict', current: theirs });
    expect((await saved(theirs, { title: 'Mine', revision: theirs.revision })).title).toBe('Mine');
  });

  test('twice because a response was lost is one save', async () => {
    const post = await desk.create({ status: 'published' });
    const once = await saved(post, { title: 'Once', revision: post.revision });
    expect(await saved(post, { title: 'Once', revision: post.revision })).toEqual(once);
    expect(await activity()).toEqual(['saved the post', 'published the new post']);
  });

  test('without a revision overwrites the earlier save', async () => {
    const post = await desk.create();
    await saved(post, { title: 'One', revision: undefined });
    expect(await saved(post, { title: 'Two', revision: undefined })).toMatchObject({ title: 'Two', revision: 3 });
  });
});

describe('The trash', () => {
  test('removes a post from every list and restores it unchanged', async () => {
    const post = await desk.create({ status: 'published' });
    const removed = await desk.posts(`/${post.id}`, { method: 'DELETE' });
    expect(removed.status).toBe(200);
    expect((await removed.json()).data.deletedAt).not.toBeNull();
    expect((await desk.posts(`/${post.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await published()).data).toEqual([]);
    expect(await list()).toMatchObject({ data: [], counts: { draft: 0, scheduled: 0, published: 0, trash: 1 } });
    expect((await list('?status=trash')).data).toHaveLength(1);
    expect((await save(post, {})).status).toBe(409);
    const restored = await (await desk.posts(`/${post.id}/restore`, { method: 'POST' })).json();
    expect(restored.data).toEqual({ ...post, revision: 3 });
    expect((await desk.posts(`/${post.id}/restore`, { method: 'POST' })).status).toBe(200);
    expect((await published()).data).toHaveLength(1);
  });

  test('frees the slug, and a post that is restored later gets a different slug', async () => {
    const post = await desk.create();
    await desk.posts(`/${post.id}`, { method: 'DELETE' });
    await desk.create();
    const restored = await (await desk.posts(`/${post.id}/restore`, { method: 'POST' })).json();
    expect(restored.data.slug).toBe(`${post.slug}-2`);
  });

  test('deletes posts after 30 days', async () => {
    const post = await desk.create();
    await desk.posts(`/${post.id}`, { method: 'DELETE' });
    desk.advance(29 * day);
    const { posts } = desk.services.stores;
    const clean = () => desk.tick();
    await clean();
    expect(await posts.get(post.id)).not.toBeNull();
    await desk.passTime(2 * day);
    await clean();
    expect(await posts.get(post.id)).toBeNull();
    expect((await posts.counts()).trash).toBe(0);
  });
});

describe('The list', () => {
  test('is newest first, can be sorted differently, and has no gaps between pages', async () => {
    for (const title of ['b', 'C', 'a', 'd']) await desk.create({ title, slug: title.toLowerCase() });
    const titles = async (query: string) => (await list(query)).data.map((post) => post.title);
    expect(await titles('')).toEqual(['d', 'a', 'C', 'b']);
    expect(await titles('?sort=createdAt')).toEqual(['b', 'C', 'a', 'd']);
    expect(await titles('?sort=title')).toEqual(['a', 'b', 'C', 'd']);
    const { data } = await list('?q=C');
    await saved(await get(data[0]!.id), { status: 'published' });
    expect(await titles('?sort=-updatedAt')).toEqual(['C', 'd', 'a', 'b']);
    expect(await titles('?sort=-publishedAt')).toEqual(['C', 'd', 'a', 'b']);
    for (const sort of ['title', '-title', 'createdAt', '-updatedAt', '-publishedAt']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: PostPage = await list(`?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.data.map((post) => post.title));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(await titles(`?sort=${sort}`));
    }
  });

  test('has a next page after a post with the longest title', async () => {
    for (const title of ['決'.repeat(200), '算']) await desk.create({ title, slug: title.slice(0, 9) });
    const { nextCursor } = await list('?sort=title&limit=1');
    expect((await list(`?sort=title&cursor=${nextCursor}`)).data.map(({ title }) => title)).toEqual(['算']);
  });

  test('finds the words of a post, and not its markup', async () => {
    await desk.create({
      title: 'Überleitung',
      slug: 'x',
      content: '<table><tbody><tr><td>accruals</td><td><strong>Net</strong>Suite</td></tr></tbody></table>',
    });
    const found = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).data.length;
    expect(await found('uberl')).toBe(1);
    expect(await found('accruals')).toBe(1);
    expect(await found('netsuite')).toBe(1);
    expect(await found('tbody')).toBe(0);
    const [post] = (await list()).data;
    await saved(post as PostRecord, { content: '<p>deferrals</p>' });
    expect([await found('accruals'), await found('deferrals')]).toEqual([0, 1]);
  });

  test('omits the content from summaries, and ends a page before a response grows too large', async () => {
    const content = `<p>${'ledger '.repeat(40_000)}</p>`;
    for (let index = 0; index < 12; index += 1) await desk.create({ slug: `s${index}`, content, status: 'published' });
    expect((await list('?view=summary')).data[0]).not.toHaveProperty('content');
    const first = await list();
    expect(first.data.length).toBeLessThan(12);
    const second = await list(`?cursor=${first.nextCursor}`);
    expect(first.data.length + second.data.length).toBe(12);
    expect((await published('?view=summary')).data).toHaveLength(12);
  });

  const infinite = Buffer.from('["",1e999]').toString('base64url');
  test.for([
    ...['0', '-1', '201', '1.5', 'many'].map((limit) => [
      `?limit=${limit}`,
      'The limit must be a whole number from 1 to 200.',
    ]),
    [`?q=${'x'.repeat(201)}`, 'Please use at most 200 characters.'],
    ...['?sort=slug', '?status=any', '?view=x', '?cursor=xyz', `?cursor=${infinite}`].map((query) => [
      query,
      expect.any(String),
    ]),
  ])('with %s is refused with a reason', async ([query, message]) => {
    const response = await desk.posts(query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_input', message, errors: expect.any(Object) });
  });
});

describe('The public blog API', () => {
  test('contains only published posts, newest first, and no admin data', async () => {
    await desk.create({ slug: 'draft' });
    const old = await desk.create({ slug: 'old', status: 'published' });
    await desk.create({ slug: 'new', status: 'published' });
    const { data, nextCursor } = await published();
    expect(data.map((post) => post.slug)).toEqual(['new', 'old']);
    expect(nextCursor).toBeNull();
    const { publishAt: _, revision: __, deletedAt: ___, dateBefore: ____, ...visible } = old;
    expect(data[1]).toEqual(visible);
    const first = await published('?limit=1');
    expect((await published(`?limit=1&cursor=${first.nextCursor}`)).data.map((post) => post.slug)).toEqual(['old']);
  });

  test('can be cached until it is purged, and revalidated', async () => {
    const response = await desk.ask('/api/cms/blog-posts/published');
    expect(await response.clone().json()).toEqual({ data: [], nextCursor: null });
    expect(response.headers.get('netlify-cache-tag')).toBe('posts');
    const again = await desk.ask('/api/cms/blog-posts/published', {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
});

test('Each spelling of a query does not take its own place in the cache', async () => {
  const cached = async (query: string) => {
    const { headers } = await desk.ask(`/api/cms/blog-posts/published${query}`);
    return headers.get('netlify-cdn-cache-control');
  };
  for (const query of ['', '?limit=50', '?limit=7', '?unknown=1'])
    expect(await cached(query), query).toMatch(/max-age/);
  for (const query of ['?limit=050', '?limit=5e1', '?limit=%2050', '?limit=9&limit=50']) {
    expect(await cached(query), query).toBe('no-store');
  }
});

test('An unknown post is not found', async () => {
  expect((await desk.posts('/none')).status).toBe(404);
  expect((await desk.posts('/none', { method: 'PUT', json: aPost() })).status).toBe(404);
  expect((await desk.posts('/none', { method: 'DELETE' })).status).toBe(404);
  expect((await desk.posts('/none/restore', { method: 'POST' })).status).toBe(404);
  expect((await desk.posts('', { method: 'PATCH' })).status).toBe(405);
});
