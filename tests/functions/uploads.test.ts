import { describe, expect, test } from 'vitest';
import { partBytes, uploadLimits } from '../../src/domain/upload.ts';
import { useApi } from '../support/api.ts';
import { aPdf } from '../support/files.ts';
import { uploadInParts } from '../support/uploads.ts';

const site = useApi();

const open = (json: unknown) => site.ask('/api/uploads', { json });
const putPart = (id: string, part: number | string, body: Uint8Array<ArrayBuffer>) =>
  site.ask(`/api/uploads/${id}/parts/${part}`, { method: 'PUT', body });

const send = (file: Uint8Array<ArrayBuffer>) => uploadInParts(file, (path, request) => site.ask(path, request));

describe('A file in parts', () => {
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

  test('that is no document is refused after its first part, before the rest is sent', async () => {
    const size = partBytes + 20;
    const { id } = await (await open({ name: 'cv.pdf', size, purpose: 'resume' })).json();
    const refused = await putPart(id, 1, new Uint8Array(partBytes).fill(65));
    expect(refused.status).toBe(400);
    expect((await refused.json()).message).toContain('PDF');
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
    expect((await putPart(id, 2, new Uint8Array(20))).status).toBe(404);
  });

  test('for the media library or the logo needs a session', async () => {
    for (const purpose of ['media', 'logo']) {
      expect((await open({ name: 'a.png', size: 10, purpose })).status).toBe(401);
    }
  });

  test('that is unfinished after an hour is deleted with its bytes', async () => {
    const id = await send(aPdf(20));
    site.advance(61 * 60_000);
    await site.tick();
    expect((await putPart(id, 1, aPdf(20))).status).toBe(404);
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  });
});
