import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import blogPosts from '../../netlify/functions/blog-posts.ts';
import media from '../../netlify/functions/media.ts';
import uploadedFile from '../../netlify/functions/uploaded-file.ts';
import uploads from '../../netlify/functions/uploads.ts';
import { lendPlatform } from '../../netlify/server/platform/platform.ts';
import { type MediaRecord, lastingUrl } from '../../src/domain/media.ts';
import { postDraftInput } from '../../src/domain/post-draft.ts';
import { partBytes, uploadLimits } from '../../src/domain/upload.ts';
import { aPdf, aPhotograph, aZip, anOleFile, bytesOf, wordFiles } from '../support/files.ts';
import { multipart } from '../support/multipart.ts';
import { type TestServices, call, passTime, runEveryMinute, signIn, testServices } from '../support/services.ts';

let site: TestServices;
let authorization: string;
beforeEach(async () => {
  site = await testServices();
  lendPlatform({ env: site.services.env, openBlobStore: site.blobs });
  authorization = await signIn(site);
});
afterEach(async () => {
  lendPlatform(undefined);
  await site.close();
});

const send = async (name: string, bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) => {
  const body = await multipart({ ...fields, file: new File([bytes], name) }, { authorization });
  return await call(media, '/api/cms/media', site.services, body);
};
const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<MediaRecord> => {
  const response = await send(name, bytes);
  expect(response.status).toBe(201);
  return (await response.json()).data;
};
const ask = (path: string, options: { method?: string; json?: unknown } = {}) =>
  call(media, `/api/cms/media${path}`, site.services, { ...options, headers: { authorization } });
const fetchFile = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  call(uploadedFile, url, site.services, { headers, method });
const list = async (search = '') => await (await ask(search)).json();

describe('A file that an admin uploads', () => {
  test('is listed with name, type, size and time, and is available at its URL', async () => {
    const file = await upload('Team photo (final).JPG', await aPhotograph('jpeg'));
    expect(file).toMatchObject({
      originalName: 'Team photo (final).JPG',
      mimeType: 'image/jpeg',
      uploadedAt: '2026-03-02T18:30:00.000Z',
      width: 60,
      height: 40,
      alt: '',
      decorative: false,
      url: `/uploads/${file.id}/team-photo-final.jpg`,
    });
    expect(await list()).toEqual({ data: [file], nextCursor: null, total: 1 });
    const response = await fetchFile(file.url);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(file.size);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename="team-photo-final.jpg"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60, stale-while-revalidate=300',
      'netlify-cache-tag': `media,media-${file.id}`,
    });
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/);
  });

  test.for([
    ['letter.pdf', aPdf, 'application/pdf', 'inline'],
    ['letter.doc', anOleFile('WordDocument'), 'application/msword', 'attachment'],
    [
      'letter.docx',
      aZip(wordFiles),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'attachment',
    ],
    [
      'online.docx',
      aZip(['[Content_Types].xml', 'word/document2.xml']),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'attachment',
    ],
    ['notes.txt', bytesOf('<script>alert(1)</script>'), 'text/plain', 'inline'],
    [
      'drawing.svg',
      bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'),
      'image/svg+xml',
      'inline',
    ],
    [
      'moving.gif',
      bytesOf(
        'GIF89a\x02\0\x03\0\x80\0\0\0\0\0\xff\xff\xff!\xfe\x06Secret\0,\0\0\0\0\x02\0\x03\0\0\x02\x02\x84\x51\0;tail',
      ),
      'image/gif',
      'inline',
    ],
  ] as const)('is %s, based on its content', async ([name, bytes, mimeType, disposition]) => {
    const file = await upload(name, bytes);
    expect(file.mimeType).toBe(mimeType);
    const response = await fetchFile(file.url);
    expect(response.headers.get('content-type')).toContain(mimeType);
    expect(response.headers.get('content-disposition')).toBe(`${disposition}; filename="${name}"`);
    expect(await response.text()).not.toMatch(/Secret|tail/);
  });

  test.for([
    ['a page called picture.png', 'picture.png', bytesOf('<!doctype html><script>alert(1)</script>')],
    ['a page called letter.pdf', 'letter.pdf', bytesOf('<html>%PDF-1.4</html>')],
    ['a page', 'page.html', bytesOf('<html></html>')],
    ['a program', 'program.txt', bytesOf('MZ\x90\0\x03\0\0\0')],
    ['a spreadsheet', 'sheet.doc', anOleFile('Workbook')],
    ['an archive called letter.docx', 'letter.docx', aZip(['payload.exe'])],
    ['an older document with macros', 'letter.doc', anOleFile('WordDocument_VBA_PROJECT')],
    ['a document with macros', 'letter.docx', aZip([...wordFiles, 'word/vbaProject.bin'])],
    ['a document that unpacks to gigabytes', 'letter.docx', aZip([...wordFiles, 'word/bomb.xml'], 0xfffffff0)],
    ['a truncated archive', 'letter.docx', aZip(wordFiles).slice(0, 60)],
  ] as const)('is refused if it is %s', async ([, name, bytes]) => {
    const response = await send(name, bytes);
    expect(response.status).toBe(415);
    const { message } = await response.json();
    expect(message).toContain(
      name.endsWith('.html')
        ? "This file type isn't supported."
        : `The name of this file ends in ${name.slice(name.lastIndexOf('.'))}, but its content isn't a supported`,
    );
    expect((await list()).data).toEqual([]);
  });

  test.for(['jpeg', 'png', 'webp'] as const)(
    'has no camera data or location in its %s, and looks the same',
    async (format) => {
      const sent = await aPhotograph(format);
      expect(Buffer.from(sent).includes('Secret Camera')).toBe(true);
      const file = await upload(`photo.${format}`, sent);
      const served = Buffer.from(await (await fetchFile(file.url)).arrayBuffer());
      expect(served.includes('Secret')).toBe(false);
      expect((await sharp(served).metadata()).exif).toBeUndefined();
      expect(await sharp(served).raw().toBuffer()).toEqual(await sharp(sent).raw().toBuffer());
    },
  );

  test('keeps its orientation, and no other camera data', async () => {
    const file = await upload('upright.jpg', await aPhotograph('jpeg', 6));
    expect([file.width, file.height]).toEqual([40, 60]);
    const served = Buffer.from(await (await fetchFile(file.url)).arrayBuffer());
    expect((await sharp(served).metadata()).orientation).toBe(6);
    expect(served.includes('Secret')).toBe(false);
  });

  test('is refused if it is a truncated or oversized picture', async () => {
    const photograph = await aPhotograph('png');
    expect((await send('a.png', photograph.slice(0, 50))).status).toBe(400);
    const huge = photograph.slice();
    new DataView(huge.buffer).setUint32(16, 60_000);
    new DataView(huge.buffer).setUint32(20, 60_000);
    const response = await send('a.png', huge);
    expect(response.status).toBe(400);
    expect((await response.json()).message).toContain('The limit is 24 megapixels');
    expect((await send('a.txt', new Uint8Array())).status).toBe(400);
  });

  test('with a hostile name gets a safe name', async () => {
    const file = await upload('..\\..\\étude /"><svg onload=x>.pdf', aPdf);
    expect(file.url).toBe(`/uploads/${file.id}/22-svg-onload-x.pdf`);
    expect((await upload('///.pdf', bytesOf('%PDF-1.5 x'))).url).toMatch(/\/file\.pdf$/);
  });

  test('can have at most 10,485,760 bytes, however it is sent', async () => {
    const tooLarge = await send('a.txt', new Uint8Array(uploadLimits.media + 1).fill(97));
    expect(tooLarge.status).toBe(413);
    expect((await tooLarge.json()).message).toBe('File too large');
    const largest = await upload('largest.txt', new Uint8Array(uploadLimits.media).fill(97));
    expect(largest.size).toBe(10_485_760);
  });

  test('can be sent in parts, in any order and with one part twice, without a difference', async () => {
    const bytes = new Uint8Array(Buffer.from(randomBytes(partBytes).toString('hex'))).slice(0, partBytes + 1_000);
    const headers = { authorization };
    const opened = await call(uploads, '/api/uploads', site.services, {
      json: { name: 'large.txt', size: bytes.byteLength, purpose: 'media' },
      headers,
    });
    const { id } = await opened.json();
    const put = (part: number) =>
      call(uploads, `/api/uploads/${id}/parts/${part}`, site.services, {
        method: 'PUT',
        body: bytes.slice((part - 1) * partBytes, part * partBytes),
        headers,
      });
    const finish = () => call(media, '/api/cms/media', site.services, { json: { uploadId: id }, headers });
    await put(2);
    expect((await finish()).status).toBe(409);
    await put(1);
    await put(2);
    const response = await finish();
    expect(response.status).toBe(201);
    const { data } = await response.json();
    expect(data.originalName).toBe('large.txt');
    const served = new Uint8Array(await (await fetchFile(data.url)).arrayBuffer());
    expect(Buffer.from(served).equals(Buffer.from(bytes))).toBe(true);
    // A client that did not receive the response repeats the request, and gets the same file.
    expect((await (await finish()).json()).data.id).toBe(data.id);
    expect((await list()).total).toBe(1);
  });

  test('is not available without a session', async () => {
    const body = await multipart({ file: new File([aPdf], 'a.pdf') });
    expect((await call(media, '/api/cms/media', site.services, body)).status).toBe(401);
    expect((await call(media, '/api/cms/media', site.services)).status).toBe(401);
  });

  test('must be sent as a form with a file', async () => {
    const json = await ask('', { json: {} });
    expect(json.status).toBe(400);
    expect((await json.json()).message).toBe('Choose a file.');
  });
});

describe('The library', () => {
  test('has pages and counts, and can be searched by name and description', async () => {
    for (const name of ['alpha.txt', 'beta.txt', 'gamma.txt']) {
      await upload(name, bytesOf(name));
      site.advance(1_000);
    }
    const picture = await upload('delta.png', await aPhotograph('png'));
    await ask(`/${picture.id}`, { method: 'PUT', json: { alt: 'The team at the warehouse' } });
    const names = (page: { data: MediaRecord[] }) => page.data.map((file) => file.originalName);
    const first = await list('?limit=3');
    expect(names(first)).toEqual(['delta.png', 'gamma.txt', 'beta.txt']);
    expect(first.total).toBe(4);
    expect(names(await list(`?limit=3&cursor=${first.nextCursor}`))).toEqual(['alpha.txt']);
    expect(names(await list('?q=wareh'))).toEqual(['delta.png']);
    expect(names(await list('?q=beta'))).toEqual(['beta.txt']);
    expect(names(await list('?q=nothing'))).toEqual([]);
    expect(names(await list('?kind=pictures'))).toEqual(['delta.png']);
    expect(names(await list('?sort=createdAt&limit=1'))).toEqual(['alpha.txt']);
  });

  test('requires a description, or a mark as decorative, for each picture', async () => {
    const { id } = await upload('a.png', await aPhotograph('png'));
    const refused = await ask(`/${id}`, { method: 'PUT', json: { alt: ' ' } });
    expect(refused.status).toBe(400);
    expect((await refused.json()).errors).toEqual({ alt: 'Describe the picture, or mark it as decorative.' });
    const decorative = await ask(`/${id}`, { method: 'PUT', json: { alt: 'x', decorative: true } });
    expect((await decorative.json()).data).toMatchObject({ alt: '', decorative: true });
    expect((await ask('/unknown', { method: 'PUT', json: { alt: 'x' } })).status).toBe(404);
  });
});

describe('A replacement of a file', () => {
  const replaceBy = async (id: string, name: string, bytes: Uint8Array<ArrayBuffer>, fields = {}) =>
    await call(
      media,
      `/api/cms/media/${id}/replace`,
      site.services,
      await multipart({ ...fields, file: new File([bytes], name) }, { authorization }),
    );
  const replaced = async (...call: Parameters<typeof replaceBy>): Promise<MediaRecord> => {
    const response = await replaceBy(...call);
    expect(response.status).toBe(200);
    return (await response.json()).data;
  };
  const undo = (id: string, version?: string) =>
    ask(`/${id}/replace/undo`, { method: 'POST', json: version === undefined ? {} : { version } });
  const detail = async (id: string) => await (await ask(`/${id}`)).json();
  const activity = async () =>
    (await site.services.stores.activity.list({ limit: 10 })).data.map(({ action, subject }) => `${action} ${subject}`);
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
    // Metadata was removed, as from an upload.
    expect(served.includes('Secret')).toBe(false);
    expect(await list()).toEqual({ data: [data], nextCursor: null, total: 1 });
    expect((await detail(file.id)).former).toEqual({ size: file.size, width: 60, height: 40 });
    expect(await activity()).toContain('replaced the file team.jpg');
  });

  test('is available at the URL within minutes, and immediately at the URL with the version', async () => {
    const file = await upload('a.txt', one);
    const caching = async (url: string) => (await fetchFile(url)).headers.get('cache-control');
    const lasting = 'public, max-age=31536000, immutable';
    expect(await caching(lastingUrl(file))).toBe(lasting);
    const purged: string[] = [];
    lendPlatform({
      env: site.services.env,
      openBlobStore: site.blobs,
      purgeTags: (tags) => void purged.push(...tags),
    });
    const data = await replaced(file.id, 'b.txt', two);
    expect(purged).toEqual([`media-${file.id}`]);
    expect(await caching(lastingUrl(data))).toBe(lasting);
    expect(await bodyOf(lastingUrl(data))).toBe('the second');
    // The URL with the previous version serves the current file, cached only briefly.
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
    const headers = { authorization };
    const created = await call(blogPosts, '/api/cms/blog-posts', site.services, {
      json: { title: 'T', slug: 't', content: plain, excerpt: '', featuredImage: file.url, status: 'published' },
      headers,
    });
    const { id } = await created.json();
    const published = async () =>
      (await (await call(blogPosts, '/api/cms/blog-posts/published', site.services)).json()).data[0];
    const shown = (picture: MediaRecord, size: string) =>
      `<p><a href="${lastingUrl(letter)}#page=2">Read ${letter.url}</a></p><p><img src="${lastingUrl(picture)}" alt="" ${size} loading="lazy" decoding="async" /></p>`;
    expect(await published()).toMatchObject({
      featuredImage: lastingUrl(file),
      content: shown(file, 'width="60" height="40"'),
    });
    const purged: string[] = [];
    lendPlatform({
      env: site.services.env,
      openBlobStore: site.blobs,
      purgeTags: (tags) => void purged.push(...tags),
    });
    const data = await replaced(file.id, 'b.jpg', await aPhotograph('jpeg', 6));
    expect(purged).toEqual(['posts', `media-${file.id}`]);
    expect(await published()).toMatchObject({
      featuredImage: lastingUrl(data),
      content: shown(data, 'width="40" height="60"'),
    });
    expect(await site.services.stores.posts.publishedUnder('t')).toEqual(await published());
    const edited = await call(blogPosts, `/api/cms/blog-posts/${id}`, site.services, { headers });
    expect((await edited.json()).data).toMatchObject({ featuredImage: file.url, content: plain });
    expect((await detail(file.id)).usedIn).toMatchObject([{ kind: 'post', id }]);
  });

  test.for(["$'", '$`', '$&', '$1', '$$'])('cannot break out of its attribute with %s in the URL', async (sign) => {
    const file = await upload('team.jpg', await aPhotograph('jpeg'));
    const html = `<p><img src="/${sign}${file.url}" alt="x onerror=alert(1) y" /><a href="/${sign}${file.url}" title="x onclick=alert(1) y">z</a></p>`;
    const sent = { title: 'T', slug: 't', content: html, excerpt: '', featuredImage: '', status: 'published' };
    const answer = await call(blogPosts, '/api/cms/blog-posts', site.services, {
      json: sent,
      headers: { authorization },
    });
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
    expect((await detail(file.id)).former).toEqual({ size: 10, width: null, height: null });
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
    expect(refusal.message).toContain('Someone else replaced this file after you opened it.');
    expect(refusal.current).toEqual(data);
    // The second admin replaces the file after seeing the new version. The first admin's undo is then refused, because
    // it would remove that file.
    await replaced(file.id, 'd.txt', bytesOf('fourth'), { version: data.version });
    const late = await undo(file.id, data.version);
    expect(late.status).toBe(409);
    expect(await bodyOf(file.url)).toBe('fourth');
  });

  test('happens once, even if the request is sent again after a lost response', async () => {
    const file = await upload('a.txt', one);
    const data = await replaced(file.id, 'b.txt', two, { version: file.version });
    expect(await replaced(file.id, 'b.txt', two, { version: file.version })).toEqual(data);
    expect((await activity()).filter((entry) => entry.startsWith('replaced'))).toHaveLength(1);
    expect((await detail(file.id)).former).toMatchObject({ size: 3 });
  });

  test('can be sent in parts', async () => {
    const file = await upload('a.txt', one);
    const bytes = new Uint8Array(partBytes + 1_000).fill(97);
    const headers = { authorization };
    const opened = await call(uploads, '/api/uploads', site.services, {
      json: { name: 'large.txt', size: bytes.byteLength, purpose: 'media' },
      headers,
    });
    const { id } = await opened.json();
    const finish = () => ask(`/${file.id}/replace`, { method: 'POST', json: { uploadId: id, version: file.version } });
    for (const part of [1, 2]) {
      expect((await finish()).status).toBe(409);
      const body = bytes.slice((part - 1) * partBytes, part * partBytes);
      await call(uploads, `/api/uploads/${id}/parts/${part}`, site.services, { method: 'PUT', body, headers });
    }
    const response = await finish();
    expect(response.status).toBe(200);
    expect((await response.json()).data).toMatchObject({ id: file.id, size: bytes.byteLength });
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
      'The address of this file ends in .jpg, so the new file must be .jpg too. The content of the file you chose is .png.',
    ]);
    expect((await refused('a.jpg', bytesOf('<html></html>')))[0]).toBe(415);
    expect((await refused('a.jpg', (await aPhotograph('jpeg')).slice(0, 50)))[0]).toBe(400);
    expect((await refused('a.jpg', new Uint8Array()))[0]).toBe(400);
    expect(await refused('a.jpg', new Uint8Array(uploadLimits.media + 1))).toEqual([413, 'File too large']);
    const missing = await ask(`/${file.id}/replace`, { method: 'POST', json: {} });
    expect(missing.status).toBe(400);
    expect((await missing.json()).errors).toEqual({ file: 'Choose a file.' });
    expect((await ask(`/${file.id}/replace`, { method: 'POST', json: { uploadId: 'unknown' } })).status).toBe(409);
    const body = await multipart({ file: new File([await aPhotograph('jpeg', 3)], 'a.jpg') });
    expect((await call(media, `/api/cms/media/${file.id}/replace`, site.services, body)).status).toBe(401);
    expect((await ask(`/${file.id}/replace`)).status).toBe(405);
    expect((await list()).data).toEqual([file]);
    expect((await detail(file.id)).former).toBeNull();
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
    const minute = () => runEveryMinute(site.services);
    const stored = async () => (await site.blobs('media').list()).blobs.length;
    site.advance(29 * 24 * 60 * 60_000);
    await minute();
    expect(await stored()).toBe(2);
    await passTime(site, 2 * 24 * 60 * 60_000);
    await minute();
    expect(await stored()).toBe(1);
    authorization = await signIn(site);
    expect((await undo(file.id)).status).toBe(404);
    expect(await bodyOf(file.url)).toBe('the second');
  });
});

describe('A deleted file', () => {
  test('is gone from its URL and the list, and is restored unchanged', async () => {
    const file = await upload('a.pdf', aPdf);
    const deleted = await ask(`/${file.id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ success: true, usedIn: [] });
    expect((await fetchFile(file.url)).status).toBe(404);
    expect((await list()).data).toEqual([]);
    expect((await ask(`/${file.id}`, { method: 'DELETE' })).status).toBe(404);
    const restored = await ask(`/${file.id}/restore`, { method: 'POST' });
    expect((await restored.json()).data).toEqual(file);
    expect((await fetchFile(file.url)).status).toBe(200);
  });

  test('names the home text that still links to it', async () => {
    const file = await upload('a.pdf', aPdf);
    await site.services.stores.sections.put(
      'about_description',
      { title: 'Our way', content: `<a href="${file.url}">`, metadata: '' },
      '2026-03-02T18:30:00.000Z',
    );
    const usedIn = [{ kind: 'section', id: 'about_description', title: 'Our way' }];
    expect((await (await ask(`/${file.id}`)).json()).usedIn).toEqual(usedIn);
    expect((await (await ask(`/${file.id}`, { method: 'DELETE' })).json()).usedIn).toEqual(usedIn);
  });

  test('names the post that shows it, unless that post is in the trash too', async () => {
    const file = await upload('a.png', await aPhotograph('png'));
    const post = {
      title: 'The year in numbers',
      slug: 'the-year',
      content: `<p><img src="${file.url}" alt=""></p>`,
      excerpt: '',
      featuredImage: '',
      status: 'draft',
    };
    const created = await call(blogPosts, '/api/cms/blog-posts', site.services, {
      json: post,
      headers: { authorization },
    });
    expect(created.status).toBe(201);
    const [use] = (await (await ask(`/${file.id}`)).json()).usedIn;
    expect(use).toMatchObject({ kind: 'post', title: 'The year in numbers' });
    await call(blogPosts, `/api/cms/blog-posts/${use.id}`, site.services, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect((await (await ask(`/${file.id}`)).json()).usedIn).toEqual([]);
  });

  test('names the drafts that use it', async () => {
    const file = await upload('a.png', await aPhotograph('png'));
    const draft = postDraftInput.parse({ title: 'Half written', featuredImage: file.url });
    const { postDrafts } = site.services.stores;
    await postDrafts.put('a@firm.example', 'new-1', draft, '', '2026-03-02T18:30:00.000Z');
    await postDrafts.put('b@firm.example', 'new-2', postDraftInput.parse({}), '', '2026-03-02T18:30:00.000Z');
    const usedIn = [{ kind: 'draft', id: 'new-1', title: 'Half written' }];
    expect((await (await ask(`/${file.id}`, { method: 'DELETE' })).json()).usedIn).toEqual(usedIn);
  });

  test('is deleted permanently after 30 days, and its bytes with the last file that has them', async () => {
    const one = await upload('one.pdf', aPdf);
    const two = await upload('two.pdf', aPdf);
    const stored = async () => (await site.blobs('media').list()).blobs.length;
    expect(await stored()).toBe(1);
    const minute = () => runEveryMinute(site.services);
    await ask(`/${one.id}`, { method: 'DELETE' });
    site.advance(31 * 24 * 60 * 60_000);
    authorization = await signIn(site);
    await minute();
    expect((await ask(`/${one.id}/restore`, { method: 'POST' })).status).toBe(404);
    expect(await stored()).toBe(1);
    await ask(`/${two.id}`, { method: 'DELETE' });
    await passTime(site, 31 * 24 * 60 * 60_000);
    await minute();
    expect(await stored()).toBe(0);
  });
});

describe('The URL of a file', () => {
  test('supports ranges, and returns 304 if the client has the file', async () => {
    const file = await upload('a.txt', bytesOf('0123456789'));
    const part = await fetchFile(file.url, { range: 'bytes=2-4' });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe('234');
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10');
    expect((await fetchFile(file.url, { range: 'bytes=20-' })).status).toBe(416);
    expect(await (await fetchFile(file.url, { range: 'bytes=0-1,4-5' })).text()).toBe('0123456789');
    const etag = part.headers.get('etag') ?? '';
    expect((await fetchFile(file.url, { 'if-none-match': etag })).status).toBe(304);
    expect((await fetchFile(file.url, { range: 'bytes=2-4', 'if-range': '"other"' })).status).toBe(200);
    const head = await fetchFile(file.url, {}, 'HEAD');
    expect(head.headers.get('content-length')).toBe('10');
    expect(await head.text()).toBe('');
  });

  test('is unique: another name or another id is not found', async () => {
    const file = await upload('a.txt', bytesOf('x'));
    expect((await fetchFile(`/uploads/${file.id}/a.html`)).status).toBe(404);
    expect((await fetchFile('/uploads/00000000-0000-4000-8000-000000000000/a.txt')).status).toBe(404);
    expect((await fetchFile(file.url, {}, 'DELETE')).status).toBe(405);
  });
});
