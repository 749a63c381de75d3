import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import uploads from '../../netlify/functions/uploads.ts';
import { endpoint, on } from '../../netlify/server/http/endpoint.ts';
import { seeOther } from '../../netlify/server/http/respond.ts';
import { textField } from '../../src/domain/plain-text.ts';
import { partBytes, uploadLimits } from '../../src/domain/upload.ts';
import { noise } from '../support/files.ts';
import { multipart } from '../support/multipart.ts';
import { type Sent, type TestServices, call, runEveryMinute, testServices } from '../support/services.ts';
import { uploadInParts } from '../support/uploads.ts';

const page = { accept: 'text/html,application/xhtml+xml' };
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const takesAFile = endpoint(
  { requestsAMinute: 600 },
  on('POST', '/api/letter', {
    access: 'public',
    summary: 'Takes a letter',
    output: z.looseObject({ name: z.string() }),
    input: z.object({ name: textField('line', 'Your name, please.') }),
    file: {
      field: 'letter',
      purpose: 'resume',
      required: 'The letter is missing.',
      refuse: ({ bytes }) => (bytes[0] === 0x7f ? 'No programs, please.' : null),
    },
    invalid: async ({ fromForm, body, request }, errors) =>
      fromForm && request.headers.get('accept')?.startsWith('text/html')
        ? seeOther(
            `/mend?${new URLSearchParams({ ...(body as Record<string, string>), wrong: Object.keys(errors).join() })}`,
          )
        : null,
    run: async ({ input, file, fromForm }) => ({
      ...input,
      fromForm,
      file: { name: file.name, type: file.type, size: file.bytes.byteLength, hash: hashOf(file.bytes) },
    }),
  }),
);

let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

const send = (sent: Sent) => call(takesAFile, '/api/letter', site.services, sent);
const letter = (bytes: Uint8Array<ArrayBuffer>, name = 'letter.pdf') =>
  new File([bytes], name, { type: 'application/pdf' });

function upload(file: Uint8Array<ArrayBuffer>, options: { until?: number; name?: string } = {}): Promise<string> {
  // The site refuses a resume whose first bytes are not those of a PDF or a Word file.
  file.set(Buffer.from('%PDF-'));
  const request = (path: string, sent: Sent) => call(uploads, path, site.services, sent);
  return uploadInParts(file, request, { name: 'cv.pdf', ...options });
}

describe('A form with a file in it', () => {
  test('is read as fields and the file, byte for byte', async () => {
    const bytes = noise(70_000);
    const response = await send(await multipart({ name: ' Ada  Byron ', letter: letter(bytes, 'Brief für Ada.pdf') }));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      name: 'Ada Byron',
      fromForm: true,
      file: { name: 'Brief für Ada.pdf', type: 'application/pdf', size: 70_000, hash: hashOf(bytes) },
    });
  });

  test('has a file name without the path on the sender’s computer', async () => {
    for (const name of ['C:\\Users\\ada\\cv.pdf', '../../etc/cv.pdf', '/home/ada/cv.pdf', 'cv\u202e.pdf']) {
      const sent = await send(await multipart({ name: 'Ada', letter: letter(new Uint8Array(1), name) }));
      expect((await sent.json()).file.name).toBe('cv.pdf');
    }
  });

  test('is refused field by field, and the file is a field too', async () => {
    const response = await send(await multipart({ name: '' }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_input',
      message: 'Your name, please.',
      errors: { name: 'Your name, please.', letter: 'The letter is missing.' },
    });
    const program = await send(await multipart({ name: 'Ada', letter: letter(new Uint8Array([0x7f, 0x45])) }));
    expect((await program.json()).errors).toEqual({ letter: 'No programs, please.' });
  });

  test('without a selected file has no file, as browsers send it', async () => {
    const boundary = 'x';
    const text = `--x\r\ncontent-disposition: form-data; name="letter"; filename=""\r\ncontent-type: application/octet-stream\r\n\r\n\r\n--x--\r\n`;
    const response = await send({
      body: text,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect((await response.json()).errors).toMatchObject({ letter: 'The letter is missing.' });
  });

  test('without scripts is redirected to a page that keeps the typed text', async () => {
    const response = await send(await multipart({ name: 'Ada' }, page));
    expect([response.status, response.headers.get('location')]).toEqual([303, '/mend?name=Ada&wrong=letter']);
  });

  test('that is incomplete or invalid is malformed', async () => {
    const whole = await multipart({ name: 'Ada', letter: letter(new Uint8Array(5_000)) });
    for (const end of [10, 150, 3_000, whole.body.byteLength - 8]) {
      const response = await send({ ...whole, body: whole.body.slice(0, end) });
      expect([end, response.status, (await response.json()).code]).toEqual([end, 400, 'malformed_body']);
    }
    const bare = { ...whole, headers: { 'content-type': 'multipart/form-data' } };
    expect((await send(bare)).status).toBe(400);
    const other = { ...whole, headers: { 'content-type': 'text/plain' } };
    expect((await send(other)).status).toBe(415);
  });

  test('with another file, or two, is refused completely', async () => {
    const stray = await send(await multipart({ name: 'Ada', photo: letter(new Uint8Array(5)) }));
    expect([stray.status, (await stray.json()).code]).toEqual([400, 'malformed_body']);
    const one = letter(new Uint8Array(5));
    const two = await send(await multipart({ name: 'Ada', letter: one, other: one }));
    expect([two.status, (await two.json()).message]).toEqual([400, 'Send one file at a time.']);
  });
});

describe('A form whose file came in parts', () => {
  test('refers to it by its upload, in JSON and in a form', async () => {
    const bytes = noise(uploadLimits.resume);
    const uploadId = await upload(bytes, { name: 'C:\\cv.docx' });
    const expected = { name: 'cv.docx', type: '', size: bytes.byteLength, hash: hashOf(bytes) };
    const inJson = await send({ json: { name: 'Ada', uploadId } });
    expect(await inJson.json()).toEqual({ name: 'Ada', fromForm: false, file: expected });
    const inForm = await send(await multipart({ name: 'Ada', uploadId }));
    expect((await inForm.json()).file).toEqual(expected);
  });

  test('gets an error if a part is missing or the upload is unknown', async () => {
    const uploadId = await upload(new Uint8Array(partBytes + 1), { until: 1 });
    const incomplete = await send({ json: { name: 'Ada', uploadId } });
    expect([incomplete.status, (await incomplete.json()).message]).toEqual([
      409,
      'Part 2 of the file did not reach the server. Upload the file again.',
    ]);
    const unknown = await send({ json: { name: 'Ada', uploadId: 'none' } });
    expect([unknown.status, Object.keys((await unknown.json()).errors)]).toEqual([409, ['letter']]);
  });

  test('cannot use an upload that was started for another purpose', async () => {
    const { stores } = site.services;
    const input = { name: 'a.png', size: 1, type: '', purpose: 'media' } as const;
    await stores.uploads.open('of-an-admin', input, '2099-01-01T00:00:00.000Z');
    await stores.uploads.putPart('of-an-admin', 1, new Uint8Array(1));
    expect((await send({ json: { name: 'Ada', uploadId: 'of-an-admin' } })).status).toBe(409);
  });

  test('can be sent again for some time, and then the parts are deleted', async () => {
    const uploadId = await upload(new Uint8Array(10));
    for (let time = 0; time < 2; time += 1) {
      expect((await send({ json: { name: 'Ada', uploadId } })).status).toBe(200);
    }
    site.advance(16 * 60_000);
    await runEveryMinute(site.services);
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  });
});
