import { beforeEach, describe, expect, test } from 'vitest';
import { lendPlatform } from '../../../netlify/server/platform.ts';
import type { LogoDetail } from '../../../src/domain/site/logo.ts';
import { uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { aPdf, aPhotograph, bytesOf } from '../../support/samples/files.ts';
import { multipart } from '../../support/api/multipart.ts';

const bundled = '<svg xmlns="http://www.w3.org/2000/svg"><title>bundled</title></svg>';

const site = useApi();
beforeEach(() => {
  lendPlatform({
    env: site.services.env,
    openBlobStore: site.blobs,
    readSiteFile: async (path) => (path === '/uploads/logo.svg' ? new Response(bundled) : null),
  });
});

const send = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  site.advance(1_000);
  return await site.admin('/api/settings/logo', await multipart({ logo: new File([bytes], name) }));
};
const ask = (path: string, method = 'GET') => site.admin(path, { method });
const previous = async () => (await site.read<LogoDetail>('/api/settings/logo')).previous?.version;
const restore = (version: unknown) => site.admin('/api/settings/logo/restore', { json: { version } });
const shown = async () => await (await site.ask('/uploads/logo')).text();
const aDrawing = (title: string) => bytesOf(`<svg xmlns="http://www.w3.org/2000/svg"><title>${title}</title></svg>`);

describe('The logo', () => {
  test('is the default logo until an admin uploads another', async () => {
    expect(await (await site.ask('/api/settings')).json()).toEqual({
      data: { logoUrl: '/uploads/logo', logoFileName: 'logo.svg', updatedAt: null, uploaded: false },
    });
    expect(await shown()).toBe(bundled);
    expect((await restore(7)).status).toBe(409);

    const uploaded = await send('Firm logo.png', await aPhotograph('png'));
    expect(uploaded.status).toBe(200);
    expect(await uploaded.json()).toMatchObject({
      message: 'Your logo has been uploaded successfully',
      data: { logoUrl: '/uploads/logo', logoFileName: 'Firm logo.png', updatedAt: '2026-03-02T18:30:01.000Z' },
      previous: { logoFileName: 'logo.svg' },
    });
    const response = await site.ask('/uploads/logo');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('netlify-cache-tag')).toBe('logo');
    expect(Buffer.from(await response.arrayBuffer()).includes('Secret')).toBe(false);
    const known = { headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
    expect((await site.ask('/uploads/logo', known)).status).toBe(304);
  });

  test('can be replaced by the previous logo in one step, or by the default', async () => {
    await send('first.svg', aDrawing('first'));
    await send('second.svg', aDrawing('second'));
    expect(await shown()).toContain('second');
    const restored = await restore(await previous());
    expect(await restored.json()).toMatchObject({
      data: { logoFileName: 'first.svg' },
      previous: { logoFileName: 'second.svg' },
    });
    expect(await shown()).toContain('first');
    await ask('/api/settings/logo', 'DELETE');
    expect(await shown()).toBe(bundled);
    await restore(await previous());
    expect(await shown()).toContain('first');
  });

  test('can be restored although its replacement was sent twice, because a response was lost', async () => {
    await send('first.svg', aDrawing('first'));
    for (let tries = 0; tries < 2; tries += 1) await send('second.svg', aDrawing('second'));
    expect(await (await ask('/api/settings/logo')).json()).toMatchObject({ previous: { logoFileName: 'first.svg' } });
    for (let tries = 0; tries < 2; tries += 1) await ask('/api/settings/logo', 'DELETE');
    for (let tries = 0, version = await previous(); tries < 2; tries += 1) await restore(version);
    expect(await shown()).toContain('second');
    expect((await site.activity()).map(({ action, subject }) => [action, subject])).toEqual([
      ['restored the logo', 'second.svg'],
      ['reset the logo to the default', ''],
      ['uploaded the new logo', 'second.svg'],
      ['uploaded the new logo', 'first.svg'],
    ]);
  });

  test('stays the restored one if the request is sent again, because the response was lost', async () => {
    await send('first.svg', aDrawing('first'));
    for (const expected of [bundled, aDrawing('first')]) {
      const version = await previous();
      for (let tries = 0; tries < 2; tries += 1) {
        expect((await restore(version)).status).toBe(200);
        expect(Buffer.from(await shown())).toEqual(Buffer.from(expected));
      }
    }
  });

  test('is stored while it can be shown or restored, and an earlier one is deleted', async () => {
    for (const name of ['first', 'second', 'third']) await send(`${name}.svg`, aDrawing(name));
    const stored = async () => (await site.blobs('media').list()).blobs.length;
    expect(await stored()).toBe(3);
    await site.tick();
    expect(await stored()).toBe(2);
    expect(await (await ask('/api/settings/logo')).json()).toMatchObject({ previous: { logoFileName: 'second.svg' } });
    expect(await shown()).toContain('third');
  });

  test('is the default logo while the uploaded one is unreachable', async () => {
    await send('first.svg', aDrawing('first'));
    const media = site.blobs('media');
    for (const { key } of (await media.list()).blobs) await media.delete(key);
    expect(await shown()).toBe(bundled);
    site.services.database.close();
    expect(await shown()).toBe(bundled);
    expect(takeLog()).toEqual([expect.stringContaining('uploaded logo not read')]);
  });

  test.for([
    ['a PDF', 'logo.png', aPdf(), 415, 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)'],
    ['a text', 'logo.txt', bytesOf('logo'), 415, 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)'],
    ['more than 5 MB', 'logo.png', new Uint8Array(uploadLimits.logo + 1), 413, 'File too large. The limit is 5 MB.'],
  ] as const)('is refused if it is %s, and the previous logo stays', async ([, name, bytes, status, message]) => {
    const response = await send(name, bytes);
    expect(response.status).toBe(status);
    expect((await response.json()).message).toBe(message);
    expect(await shown()).toBe(bundled);
  });
});

test('A logo with any name is shown on every page', async () => {
  const names = ['logo – final', 'logo 🎉', 'the "new" logo’s', 'logo\r\nSet-Cookie: a=b', 'логотип', '100%25'];
  const picture = await aPhotograph('png');
  for (const name of [...names, 'half of a character \ud83c', 'l'.repeat(1_000)]) {
    expect((await send(`${name}.png`, picture)).status, name).toBe(200);
    const { status, headers } = await site.ask('/uploads/logo');
    expect([status, headers.get('content-type'), headers.get('set-cookie')], name).toEqual([200, 'image/png', null]);
    expect(headers.get('content-disposition'), name).toMatch(
      /^inline; filename="[\w .()-]+"(; filename\*=UTF-8''[\w.~%!-]+)?$/,
    );
  }
});
