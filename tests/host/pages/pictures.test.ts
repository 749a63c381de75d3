import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '../../../netlify/server/refusal.ts';
import { responseCache } from '../../../host/http/cache.ts';
import { type Pictures, pictureHost } from '../../../host/http/pictures.ts';

let images: Pictures;
let source: (path: string, method: string) => Promise<Response>;
let asked: string[];
/** The image files of the site, by path. */
let pictures: Record<string, Uint8Array<ArrayBuffer>>;
beforeEach(async () => {
  pictures = {};
  asked = [];
  const picture = await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#0b4f36' } })
    .jpeg()
    .toBuffer();
  source = async (path, method) => {
    const { pathname } = new URL(path, 'http://site.test');
    asked.push(`${method} ${pathname}`);
    const given = pictures[pathname] ?? new Uint8Array(picture);
    const body = method === 'HEAD' ? null : pathname.endsWith('.svg') ? '<svg/>' : given;
    const type = pathname.endsWith('.svg') ? 'image/svg+xml' : pathname.endsWith('.txt') ? 'text/plain' : 'image/jpeg';
    const status = pathname === '/missing.jpg' ? 404 : 200;
    return new Response(status === 200 ? body : null, {
      status,
      headers: { 'content-type': type, etag: pathname in pictures ? `"${pathname}"` : '"1"' },
    });
  };
  images = pictureHost(source, responseCache());
});

const ask = (search: string, headers: Record<string, string> = {}, address = '192.0.2.1') => {
  const url = new URL(`http://site.test/.netlify/images${search}`);
  return images(new Request(url, { headers }), url, address);
};

describe('An image of the site', () => {
  test('has the requested width, as WebP', async () => {
    const response = await ask('?url=/uploads/a/b.jpg&w=400&q=85');
    expect(response.headers.get('content-type')).toBe('image/webp');
    const { format, width, height } = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
    expect([format, width, height]).toEqual(['webp', 400, 200]);
  });

  test('is resized once for all requests, including simultaneous requests', async () => {
    const [one, two] = await Promise.all([ask('?url=/a.jpg&w=400'), ask('?url=/a.jpg&w=400')]);
    await Promise.all([one?.arrayBuffer(), two?.arrayBuffer()]);
    const response = await ask('?url=/a.jpg&w=400');
    expect(asked.filter((line) => line === 'GET /a.jpg')).toHaveLength(1);
    const etag = response.headers.get('etag') ?? '';
    expect((await ask('?url=/a.jpg&w=400', { 'if-none-match': etag })).status).toBe(304);
  });

  test('is never enlarged', async () => {
    const response = await ask('?url=/a.jpg&w=1600');
    expect((await sharp(new Uint8Array(await response.arrayBuffer())).metadata()).width).toBe(1000);
  });

  test.for([
    ['1', 400],
    ['401', 800],
    ['1024', 1000],
    ['99999', 1000],
  ] as const)('has the next of four widths if %s pixels are requested', async ([asked, width]) => {
    const response = await ask(`?url=/a.jpg&w=${asked}`);
    expect((await sharp(new Uint8Array(await response.arrayBuffer())).metadata()).width).toBe(width);
  });

  test('is found without a leading slash, as Netlify’s build writes the path', async () => {
    expect((await ask('?url=_astro%2Fteam.jpg&w=400')).status).toBe(200);
    expect(asked).toContain('GET /_astro/team.jpg');
  });

  test('is sent unchanged if it is a drawing', async () => {
    expect(await (await ask('?url=/a.svg&w=400')).text()).toBe('<svg/>');
  });
});

test('Unknown query parameters create no new cache entries for an image', async () => {
  for (let count = 0; count < 20; count += 1) {
    await (await ask(`?url=/a.jpg%3Fv%3D${count}&w=400&x=${count}`)).arrayBuffer();
  }
  await (await ask('?url=/the-same-bytes.jpg&w=400')).arrayBuffer();
  expect(asked.filter((line) => line.startsWith('GET'))).toHaveLength(1);
});

test('A visitor who requests a hundred images does not delay other visitors', async () => {
  const jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#0b4f36' } })
    .jpeg()
    .toBuffer();
  for (let count = 0; count < 100; count += 1) pictures[`/${count}.jpg`] = new Uint8Array(jpeg);
  pictures['/mine.jpg'] = new Uint8Array(jpeg);
  const hostile = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].flatMap((address, group) =>
    Array.from({ length: 25 }, (_, count) => [address, `/${group * 25 + count}.jpg`] as const),
  );
  const theirs = hostile.map(([address, path]) =>
    ask(`?url=${path}&w=400`, {}, address).then(
      (response) => response.status,
      (error: unknown) => (error instanceof Refusal ? error.code : 'a fault'),
    ),
  );
  // The first picture is being resized, so the others wait.
  await expect.poll(() => asked).toContain('GET /0.jpg');
  expect((await ask('?url=/mine.jpg&w=400')).status).toBe(200);
  const outcomes = await Promise.all(theirs);
  expect(new Set(outcomes)).toEqual(new Set([200, 'unavailable']));
  expect(outcomes.filter((outcome) => outcome === 200).length).toBeGreaterThan(50);
});

test('An image that needs too much memory for resizing is sent in its original size', async () => {
  const background = '#0b4f36';
  const large = { create: { width: 6_000, height: 4_100, channels: 3 as const, background } };
  pictures['/progressive.jpg'] = new Uint8Array(await sharp(large).jpeg({ progressive: true }).toBuffer());
  pictures['/photo.jpg'] = new Uint8Array(await sharp(large).jpeg().toBuffer());
  const [asItIs, smaller] = [await ask('?url=/progressive.jpg&w=400'), await ask('?url=/photo.jpg&w=400')];
  expect((await sharp(new Uint8Array(await asItIs.arrayBuffer())).metadata()).width).toBe(6_000);
  expect((await sharp(new Uint8Array(await smaller.arrayBuffer())).metadata()).width).toBe(400);
});

describe('The image service', () => {
  test.for([
    '',
    '?url=https://evil.example/a.jpg',
    '?url=//evil.example/a.jpg',
    '?url=/%5Cevil.example/a.jpg',
    '?url=/api/cms/media',
    '?url=/.netlify/images?url=/a.jpg',
    '?url=/x/../api/cms/media',
    '?url=/a.jpg&w=0',
    '?url=/a.jpg&w=-400',
    '?url=/a.jpg&w=4e2',
    '?url=/a.jpg&w=wide',
  ])('refuses %s', async (search) => {
    await expect(ask(search)).rejects.toThrow(Refusal);
    expect(asked).toEqual([]);
  });

  test('returns not found if there is no image', async () => {
    await expect(ask('?url=/missing.jpg&w=400')).rejects.toThrow('was not found');
    await expect(ask('?url=/a.txt&w=400')).rejects.toThrow('No picture');
  });
});
