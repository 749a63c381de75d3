import { describe, expect, test } from 'vitest';
import { type MediaRecord, lastingUrl } from '../../../src/domain/site/media.ts';
import { uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { aPhotograph, bytesOf } from '../../support/samples/files.ts';
import { useMediaLibrary } from '../../support/samples/media-library.ts';
import { multipart } from '../../support/api/multipart.ts';

const { site, ask, fetchFile, list, upload } = useMediaLibrary();

describe('A replacement of a file', () => {
  const replaceBy = async (id: string, name: string, bytes: Uint8Array<ArrayBuffer>, fields = {}) =>
    await site.admin(`/api/cms/media/${id}/replace`, await multipart({ ...fields, file: new File([bytes], name) }));
  const replaced = async (...call: Parameters<typeof replaceBy>): Promise<MediaRecord> => {
    const response = await replaceBy(...call);
    expect(response.status).toBe(200);
    return (await response.json()).data;
  };
  const undo = (id: string, version?: string) =>
    ask(`/${id}/replace/undo`, { method: 'POST', json: version === undefined ? {} : { version } });
  const detail = async (id: string) => await (await ask(`/${id}`)).json();
  const activity = async () => (await site.activity()).map(({ action, subject }) => `${action} ${subject}`);
  const bodyOf = async (url: string) => await (await fetchFile(url)).text();
  const one = bytesOf('one');
  const two = bytesOf('the second');

  test('keeps the URL, name, time and description; the data about its bytes is new', async () => {
    const file = await upload('team.jpg', await aPhotograph('jpeg'));
    await ask(`/${file.id}`, { method: 'PUT', json: { alt: 'The team' } });
    site.advance(60_000);
    const upright = await aPhotograph('jpeg', 6);
    const data = await replaced(file.id, 'Team 2026.JPG', upright, { version: file.version });
    expect(data).toEqual({
      ...file,
      alt: 'The team',
      version: data.version,
      replacedAt: '2026-03-02T18:31:00.000Z',
      size: data.size,
      width: 40,
      height: 60,
    });
    expect(data.version).not.toBe(file.version);
    const served = Buffer.from(await (await fetchFile(file.url)).arrayBuffer());
    expect(served.byteLength).toBe(data.size);
    // The site must remove the metadata, as it does in an ordinary upload.
    expect(served.includes('Secret')).toBe(false);
    expect(await list()).toEqual({ data: [data], nextCursor: null, total: 1 });
    expect(await activity()).toContain('replaced the file team.jpg');
  });

  test('is available at the URL within minutes, and immediately at the URL with the version', async () => {
    const file = await upload('a.txt', one);
    const caching = async (url: string) => (await fetchFile(url)).headers.get('cache-control');
    const lasting = 'public, max-age=31536000, immutable';
    expect(await caching(lastingUrl(file))).toBe(lasting);
    const purged = site.watchPurges();
    const data = await replaced(file.id, 'b.txt', two);
    expect(purged).toEqual([`media-${file.id}`]);
    expect(await caching(lastingUrl(data))).toBe(lasting);
    expect(await bodyOf(lastingUrl(data))).toBe('the second');
    // The URLs with the previous version and without a version serve the current file, cached only briefly.
    for (const url of [lastingUrl(file), file.url]) {
      expect(await bodyOf(url)).toBe('the second');
      expect(await caching(url)).toBe('public, max-age=60, stale-while-revalidate=300');
    }
    const etag = (await fetchFile(file.url)).headers.get('etag') ?? '';
    expect((await fetchFile(file.url, { 'if-none-match': etag })).status).toBe(304);
  });

  test('immediately appears in posts that use it, with its own proportions, and the stored post keeps the plain URL', async () => {
    const file = await upload('team.jpg', await aPhotograph('jpeg'));
    const letter = await upload('letter.txt', one);
    const plain = `<p><a href="${letter.url}#page=2">Read ${letter.url}</a></p><p><img src="${file.url}" alt="" width="60" height="40" loading="lazy" decoding="async" /></p>`;
    const created = await site.admin('/api/cms/blog-posts', {
      json: { title: 'T', slug: 't', content: plain, excerpt: '', featuredImage: file.url, status: 'published' },
    });
    const { id } = await created.json();
    const published = async () => (await (await site.ask('/api/cms/blog-posts/published')).json()).data[0];
    const shown = (picture: MediaRecord, size: string) =>
      `<p><a href="${lastingUrl(letter)}#page=2">Read ${letter.url}</a></p><p><img src="${lastingUrl(picture)}" alt="" ${size} loading="lazy" decoding="async" /></p>`;
    expect(await published()).toMatchObject({
      featuredImage: lastingUrl(file),
      content: shown(file, 'width="60" height="40"'),
    });
    const purged = site.watchPurges();
    const data = await replaced(file.id, 'b.jpg', await aPhotograph('jpeg', 6));
    expect(purged).toEqual(['posts', `media-${file.id}`]);
    expect(await published()).toMatchObject({
      featuredImage: lastingUrl(data),
      content: shown(data, 'width="40" height="60"'),
    });
    expect(await site.services.stores.posts.publishedUnder('t')).toEqual(await published());
    const edited = await site.admin(`/api/cms/blog-posts/${id}`);
    expect((await edited.json()).data).toMatchObject({ featuredImage: file.url, content: plain });
    expect((await detail(file.id)).usedIn).toMatchObject([{ kind: 'post', id }]);
  });

  test.for(["$'", '$`', '$&', '$1', '$$'])('cannot break out of its attribute with %s in the URL', async (sign) => {
    const file = await upload('team.jpg', await aPhotograph('jpeg'));
    const html = `<p><img src="/${sign}${file.url}" alt="x onerror=alert(1) y" /><a href="/${sign}${file.url}" title="x onclick=alert(1) y">z</a></p>`;
    const sent = { title: 'T', slug: 't', content: html, excerpt: '', featuredImage: '', status: 'published' };
    const answer = await site.admin('/api/cms/blog-posts', { json: sent });
    expect(answer.status).toBe(201);
    const post = await site.services.stores.posts.publishedUnder('t');
    expect(post?.content).toContain(
      `src="/${sign.replace('&', '&amp;')}${file.url}?v=${file.version}" alt="x onerror=alert(1) y"`,
    );
    expect(post?.content.replace(/="[^"]*"/g, '')).not.toMatch(/onerror|onclick/);
  });

  test('can be undone, and the undo can be undone', async () => {
    const file = await upload('a.txt', one);
    expect((await undo(file.id)).status).toBe(404);
    const data = await replaced(file.id, 'b.txt', two);
    const back = await undo(file.id, data.version);
    expect(back.status).toBe(200);
    expect((await back.json()).data).toMatchObject({ version: file.version, size: 3 });
    expect(await bodyOf(file.url)).toBe('one');
    expect((await undo(file.id)).status).toBe(200);
    expect(await bodyOf(file.url)).toBe('the second');
    expect(await activity()).toContain('restored the previous file a.txt');
  });

  test('is refused if the admin saw another version, so each of two admins learns about the other', async () => {
    const file = await upload('a.txt', one);
    const [first, second] = await Promise.all([
      replaceBy(file.id, 'b.txt', two, { version: file.version }),
      replaceBy(file.id, 'c.txt', bytesOf('third'), { version: file.version }),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const [won, lost] = first.status === 200 ? [first, second] : [second, first];
    const { data } = await won.json();
    const refusal = await lost.json();
    expect(refusal.message).toContain('Someone else replaced a.txt after you opened it.');
    expect(refusal.current).toEqual(data);
    // The second admin replaces the file after seeing the new version. The first admin's undo is then refused, because
    // the undo would remove the second admin's file.
    await replaced(file.id, 'd.txt', bytesOf('fourth'), { version: data.version });
    const late = await undo(file.id, data.version);
    expect(late.status).toBe(409);
    expect(await bodyOf(file.url)).toBe('fourth');
    expect((await late.json()).message).toBe('a.txt has changed since you replaced it. Check the current file.');
  });

  test('happens once, even if the request is sent again after a lost response', async () => {
    const file = await upload('a.txt', one);
    const data = await replaced(file.id, 'b.txt', two, { version: file.version });
    expect(await replaced(file.id, 'b.txt', two, { version: file.version })).toEqual(data);
    expect((await activity()).filter((entry) => entry.startsWith('replaced'))).toHaveLength(1);
  });

  test('is refused if the new file has another type, or is damaged, too large or missing, or without a session', async () => {
    const file = await upload('a.jpg', await aPhotograph('jpeg'));
    const refused = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const response = await replaceBy(file.id, name, bytes);
      const { message } = await response.json();
      return [response.status, message] as const;
    };
    expect(await refused('a.jpg', await aPhotograph('png'))).toEqual([
      415,
      'The file you chose is actually a .png file. The URL stays the same and ends in .jpg, so choose a .jpg file.',
    ]);
    expect((await refused('a.jpg', bytesOf('<html></html>')))[0]).toBe(415);
    expect((await refused('a.jpg', (await aPhotograph('jpeg')).slice(0, 50)))[0]).toBe(400);
    expect((await refused('a.jpg', new Uint8Array()))[0]).toBe(400);
    expect(await refused('a.jpg', new Uint8Array(uploadLimits.media + 1))).toEqual([
      413,
      'File too large. The limit is 10 MB.',
    ]);
    const missing = await ask(`/${file.id}/replace`, { method: 'POST', json: {} });
    expect(missing.status).toBe(400);
    expect((await missing.json()).errors).toEqual({ file: 'Choose a file.' });
    expect((await ask(`/${file.id}/replace`, { method: 'POST', json: { uploadId: 'unknown' } })).status).toBe(409);
    expect((await ask(`/${file.id}/replace`)).status).toBe(405);
    expect((await list()).data).toEqual([file]);
  });

  test('is refused if the file is unknown or in the trash', async () => {
    const file = await upload('a.txt', one);
    await ask(`/${file.id}`, { method: 'DELETE' });
    for (const id of [file.id, 'unknown']) {
      expect((await replaceBy(id, 'b.txt', two)).status).toBe(404);
      expect((await undo(id)).status).toBe(404);
    }
  });

  test('deletes the previous file after 30 days, and keeps the new one', async () => {
    const file = await upload('a.txt', one);
    await replaced(file.id, 'b.txt', two);
    const minute = () => site.tick();
    const stored = async () => (await site.blobs('media').list()).blobs.length;
    site.advance(29 * 24 * 60 * 60_000);
    await minute();
    expect(await stored()).toBe(2);
    await site.passTime(2 * 24 * 60 * 60_000);
    await minute();
    expect(await stored()).toBe(1);
    await site.renewSession();
    expect((await undo(file.id)).status).toBe(404);
    expect(await bodyOf(file.url)).toBe('the second');
  });
});
