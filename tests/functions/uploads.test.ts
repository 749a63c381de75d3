import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { partBytes, uploadLimits } from '../../src/domain/upload.ts';
import { useApi } from '../support/api.ts';
import { noise } from '../support/files.ts';
import { uploadInParts } from '../support/uploads.ts';

/** Returns bytes that begin like a PDF. */
const aPdf = (size: number) => new Uint8Array(Buffer.concat([Buffer.from('%PDF-1.7 '), noise(size)], size));

const site = useApi();

const open = (json: unknown) => site.ask('/api/uploads', { json });
const putPart = (id: string, part: number | string, body: Uint8Array<ArrayBuffer>) =>
  site.ask(`/api/uploads/${id}/parts/${part}`, { method: 'PUT', body });
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const send = (file: Uint8Array<ArrayBuffer>) => uploadInParts(file, (path, request) => site.ask(path, request));

async function assemble(id: string) {
  const { stores, now } = site.services;
  const upload = await stores.uploads.get(id, now().toISOString());
  return upload && (await stores.uploads.assemble(id, upload));
}

describe('A file in parts', () => {
  test('of the maximum size arrives byte for byte, although no request can contain it', async () => {
    const file = aPdf(uploadLimits.resume);
    const whole = await assemble(await send(file));
    expect(whole).toHaveProperty('bytes');
    expect(whole && 'bytes' in whole && hashOf(whole.bytes)).toBe(hashOf(file));
  });

  test('continues after a part was lost, or sent twice', async () => {
    const file = aPdf(partBytes + 10);
    const { id } = await (await open({ name: 'cv.docx', size: file.byteLength, purpose: 'resume' })).json();
    await putPart(id, 2, file.slice(partBytes));
    expect(await assemble(id)).toEqual({ missingPart: 1 });
    await putPart(id, 1, file.slice(0, partBytes));
    await putPart(id, 1, file.slice(0, partBytes));
    const whole = await assemble(id);
    expect(whole && 'bytes' in whole && hashOf(whole.bytes)).toBe(hashOf(file));
  });

  test('is refused above its limit, and so is a part with another length or number', async () => {
    const tooLarge = await open({ name: 'cv.pdf', size: uploadLimits.resume + 1, purpose: 'resume' });
    expect(tooLarge.status).toBe(400);
    expect((await tooLarge.json()).errors).toEqual({ size: 'File too large' });
    const { id } = await (await open({ name: 'cv.pdf', size: 10, purpose: 'resume' })).json();
    expect((await putPart(id, 1, new Uint8Array(9))).status).toBe(400);
    expect((await putPart(id, 1, new Uint8Array(11))).status).toBe(400);
    expect((await putPart(id, 1, new Uint8Array(partBytes + 1))).status).toBe(413);
    expect((await putPart(id, 2, new Uint8Array(1))).status).toBe(404);
    expect((await putPart(id, 'x', new Uint8Array(1))).status).toBe(404);
    expect((await putPart('unknown', 1, new Uint8Array(1))).status).toBe(404);
  });

  test('for the media library or the logo needs a session', async () => {
    for (const purpose of ['media', 'logo']) {
      expect((await open({ name: 'a.png', size: 10, purpose })).status).toBe(401);
    }
  });

  test('that is unfinished after an hour is deleted with its bytes', async () => {
    const id = await send(aPdf(10));
    site.advance(61 * 60_000);
    await site.tick();
    expect(await assemble(id)).toBeNull();
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  });
});
