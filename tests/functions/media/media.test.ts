import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MediaRecord } from '../../../src/domain/site/media.ts';
import { partBytes, uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { aPdf, aPhotograph, aZip, anOleFile, bytesOf, noise, wordFiles } from '../../support/samples/files.ts';
import { useMediaLibrary } from '../../support/samples/media-library.ts';

const { site, ask, fetchFile, list, send, upload } = useMediaLibrary();

describe('A file that an admin uploads', () => {
  test('is listed with name, type, size and time, and is available at its URL', async () => {
    const file = await upload('Team "photo" (final).JPG', await aPhotograph('jpeg'));
    expect(file).toMatchObject({
      originalName: 'Team "photo" (final).JPG',
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
    ['letter.pdf', aPdf(), 'application/pdf', 'inline'],
    ['letter.doc', anOleFile('WordDocument'), 'application/msword', 'attachment'],
    [
      'letter.docx',
      aZip(wordFiles),
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
    const empty = photograph.slice();
    new DataView(empty.buffer).setUint32(16, 0);
    expect((await send('a.png', empty)).status).toBe(400);
    expect((await send('a.txt', new Uint8Array())).status).toBe(400);
  });

  test('is refused if it is a text that Windows saved in another encoding, and the refusal names the needed one', async () => {
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const response = await send('notes.txt', new Uint8Array(Buffer.from('\ufeffCafé', encoding)));
      expect(response.status).toBe(415);
      expect((await response.json()).message).toContain('Save it with UTF-8 encoding.');
    }
  });

  test('with a hostile name gets a safe name', async () => {
    const file = await upload('..\\..\\étude /"><svg onload=x>.pdf', aPdf());
    expect(file.url).toBe(`/uploads/${file.id}/svg-onload-x.pdf`);
    expect((await upload('///.pdf', bytesOf('%PDF-1.5 x'))).url).toMatch(/\/file\.pdf$/);
  });

  test('can have at most 10,485,760 bytes, however it is sent', async () => {
    const tooLarge = await send('a.txt', new Uint8Array(uploadLimits.media + 1).fill(97));
    expect(tooLarge.status).toBe(413);
    expect((await tooLarge.json()).message).toBe('File too large. The limit is 10 MB.');
    const largest = await upload('largest.txt', new Uint8Array(uploadLimits.media).fill(97));
    expect(largest.size).toBe(10_485_760);
  });

  test('can be sent in parts, in any order and with one part twice, without a difference', async () => {
    const bytes = new Uint8Array(Buffer.from(Buffer.from(noise(partBytes)).toString('hex'))).slice(
      0,
      partBytes + 1_000,
    );
    const opened = await site.admin('/api/uploads', {
      json: { name: 'large.txt', size: bytes.byteLength, purpose: 'media' },
    });
    const { id } = await opened.json();
    const put = (part: number) =>
      site.admin(`/api/uploads/${id}/parts/${part}`, {
        method: 'PUT',
        body: bytes.slice((part - 1) * partBytes, part * partBytes),
      });
    const finish = () => site.admin('/api/cms/media', { json: { uploadId: id } });
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
    for (let tries = 0; tries < 2; tries += 1) {
      await ask(`/${picture.id}`, { method: 'PUT', json: { alt: 'The team at the warehouse' } });
    }
    expect((await site.activity()).filter(({ action }) => action === 'changed the file’s description')).toHaveLength(1);
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
