import { describe, expect, test } from 'vitest';
import type { ApplicationPage } from '../../../src/domain/submissions/application.ts';
import { useApi } from '../../support/api/api.ts';
import { partBytes, uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { takeLog } from '../../support/console.ts';
import { multipart } from '../../support/api/multipart.ts';
import { aDocx, aPdf, aZip, anOleFile, noise } from '../../support/samples/files.ts';
import { anApplication, resumeFile } from '../../support/samples/resumes.ts';
import { type Sent, testServices } from '../../support/api/services.ts';
import { uploadInParts } from '../../support/api/uploads.ts';

const page = { accept: 'text/html,application/xhtml+xml' };
const saved = "Your application has been saved. We'll review it and get back to you soon.";

const site = useApi();

async function apply(
  fields: Record<string, string | File> = { ...anApplication(), resume: resumeFile() },
  headers: Record<string, string> = {},
  services = site.services,
): Promise<Response> {
  return await site.ask('/api/career-application', await multipart(fields, headers), services);
}
const withResume = (bytes: Uint8Array<ArrayBuffer>, name?: string) => ({
  ...anApplication(),
  resume: resumeFile(bytes, name),
});
const list = async (status: 'inbox' | 'quarantine' = 'inbox') =>
  (await site.read<ApplicationPage>(`/api/contact/applications?status=${status}`)).data;
const storedResumes = async () => (await site.blobs('resumes').list()).blobs.map(({ key }) => key);
const parts = (text: string, boundary = 'b'): Sent => ({
  body: text,
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
});
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const { ask, tick } = site;

describe('An application', () => {
  test('is stored as it was written, its resume byte for byte', async () => {
    const bytes = new Uint8Array([...aPdf(20), ...noise(69_980)]);
    const response = await apply(withResume(bytes));
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      success: true,
      emailSent: false,
      message: saved,
      reference: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    });
    const [stored] = await list();
    expect(stored).toMatchObject({ ...anApplication(), suspicions: [], delivery: { firm: { status: 'waiting' } } });
    expect(stored?.resume).toEqual({ name: 'Mara Quill.pdf', kind: 'pdf', size: 70_000 });
    expect(await site.services.stores.resumes.get(stored?.id ?? '')).toEqual(bytes);
  });

  test('needs only a name, an email address and a resume', async () => {
    const { fullName, email } = anApplication();
    expect((await apply({ fullName, email, resume: resumeFile() })).status).toBe(201);
    expect((await list())[0]).toMatchObject({ phone: '', position: '', experience: '', coverLetter: '' });
    const nothing = await apply({ phone: '1' });
    expect(nothing.status).toBe(400);
    expect((await nothing.json()).errors).toEqual({
      fullName: 'Please enter your full name.',
      email: 'Please enter a valid email address.',
      resume: 'Resume file is required',
    });
  });

  test.for([
    [{ email: 'mara@quill' }, { email: 'Please enter a valid email address.' }],
    [{ position: 'Astronaut' }, { position: 'Please choose a position from the list.' }],
    [{ experience: '7' }, { experience: 'Please choose your experience from the list.' }],
    [{ coverLetter: 'x'.repeat(10_001) }, { coverLetter: 'Please use at most 10,000 characters.' }],
  ] as const)('with %j is refused', async ([changes, errors]) => {
    const response = await apply({ ...anApplication(changes), resume: resumeFile() });
    expect([response.status, (await response.json()).errors]).toEqual([400, errors]);
    expect([await list(), await storedResumes()]).toEqual([[], []]);
  });

  test('without a resume is refused with the text that the page checks', async () => {
    for (const fields of [anApplication(), { ...anApplication(), resume: new File([], '') }]) {
      const response = await apply(fields);
      expect([response.status, (await response.json()).message]).toEqual([400, 'Resume file is required']);
    }
    const json = await site.ask('/api/career-application', { json: anApplication() });
    expect([json.status, (await json.json()).message]).toEqual([400, 'Resume file is required']);
  });
});

describe('A resume', () => {
  test.for([
    ['a PDF', aPdf(), 'pdf'],
    ['a PDF after a few other bytes', Buffer.concat([Buffer.from('\n\n'), aPdf()]), 'pdf'],
    ['a PDF that a browser could take for a page', Buffer.from('<html><script>alert(1)</script>%PDF-1.4'), 'pdf'],
    ['an older Word document', anOleFile(), 'doc'],
    ['a newer Word document', aDocx(), 'docx'],
    ['a Word document whose main part has a number', aZip(['[Content_Types].xml', 'word/document2.xml']), 'docx'],
  ] as const)('is accepted by its content: %s', async ([, bytes, kind]) => {
    expect((await apply(withResume(new Uint8Array(bytes), 'anything'))).status).toBe(201);
    expect((await list())[0]?.resume.kind).toBe(kind);
  });

  test.for([
    ['a program with the name of a PDF', Buffer.from('MZ\x90\x00%PDF-1.7')],
    ['a script', Buffer.from('#!/bin/sh\n# %PDF-1.7')],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['plain text', Buffer.from('I worked at Quill.')],
    ['an empty file', Buffer.from('')],
    ['an archive of other files', aZip(['readme.txt'])],
    ['a spreadsheet', aZip(['[Content_Types].xml', 'xl/workbook.xml'])],
    ['an older spreadsheet', anOleFile('Workbook')],
    ['an older Word document with macros', anOleFile('WordDocument_VBA_PROJECT')],
    ['a compound file of an unknown type', anOleFile('Contents')],
    ['a Word document with macros', aZip(['word/document.xml', 'word/vbaProject.bin'])],
    ['a Word document that unpacks to gigabytes', aZip(['word/document.xml', 'word/media/1.png'], 0xf0000000)],
    ['a truncated archive', aDocx().slice(0, -30)],
  ] as const)('is refused by its content: %s', async ([, bytes]) => {
    const response = await apply(withResume(new Uint8Array(bytes), 'resume.pdf'));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: 'Only PDF and DOC/DOCX files are allowed',
      errors: { resume: 'Only PDF and DOC/DOCX files are allowed' },
    });
    expect([await list(), await storedResumes()]).toEqual([[], []]);
  });

  test('has a file name without the path on the applicant’s computer', async () => {
    for (const name of ['C:\\Users\\mara\\cv.pdf', '../../etc/cv.pdf', '/home/mara/cv.pdf', 'cv\u202e.pdf']) {
      await apply(withResume(aPdf(), name));
      expect((await list())[0]?.resume.name).toBe('cv.pdf');
    }
  });

  test('of exactly 5,242,880 bytes arrives in parts, and one byte more is refused', async () => {
    const uploadId = await uploadInParts(aPdf(uploadLimits.resume), ask, { name: 'C:\\cv.docx' });
    const json = { ...anApplication(), uploadId };
    expect((await site.ask('/api/career-application', { json })).status).toBe(201);
    const [stored] = await list();
    expect(stored?.resume.name).toBe('cv.docx');
    const kept = await site.services.stores.resumes.get(stored?.id ?? '');
    expect(aPdf(uploadLimits.resume).every((byte, at) => byte === kept?.[at])).toBe(true);
    await expect(uploadInParts(aPdf(uploadLimits.resume + 1), ask)).rejects.toThrow(/400 .*File too large/);
    const inOne = await apply(withResume(aPdf(uploadLimits.resume + 1)));
    expect([inOne.status, (await inOne.json()).message]).toEqual([413, 'File too large. The limit is 5 MB.']);
    expect(await list()).toHaveLength(1);
  });

  test('in parts can also be part of a form, which can be sent again for 15 minutes', async () => {
    const uploadId = await uploadInParts(aPdf(20), ask);
    for (const fullName of ['One', 'Two']) {
      expect((await apply({ ...anApplication({ fullName }), uploadId })).status).toBe(201);
    }
    site.advance(16 * 60_000);
    await tick();
    expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  });

  test('in parts is refused if a part is missing, or if the upload is unknown or not for a resume', async () => {
    const incomplete = await uploadInParts(aPdf(partBytes + 1), ask, { until: 1 });
    const picture = { name: 'a.png', size: 1, type: '', purpose: 'media' } as const;
    await site.services.stores.uploads.open('of-an-admin', picture, '2099-01-01T00:00:00.000Z');
    await site.services.stores.uploads.putPart('of-an-admin', 1, new Uint8Array(1));
    for (const [uploadId, refusal] of [
      [incomplete, { message: 'Part 2 of the file did not reach the server. Upload the file again.' }],
      ['none', { errors: { resume: expect.any(String) } }],
      ['of-an-admin', { errors: { resume: expect.any(String) } }],
    ] as const) {
      const response = await site.ask('/api/career-application', { json: { ...anApplication(), uploadId } });
      expect([response.status, await response.json()]).toMatchObject([409, refusal]);
    }
  });
});

describe('A form with a file', () => {
  const refusalOf = async (sent: Sent) => {
    const response = await ask('/api/career-application', sent);
    return [response.status, await response.json()];
  };

  test('that is incomplete or invalid is malformed', async () => {
    const whole = await multipart(withResume(aPdf(5_000)));
    const truncated = [10, 150, 3_000, whole.body.byteLength - 8].map((end) => ({
      ...whole,
      body: whole.body.slice(0, end),
    }));
    for (const sent of [...truncated, { ...whole, headers: { 'content-type': 'multipart/form-data' } }]) {
      expect(await refusalOf(sent)).toMatchObject([400, { code: 'malformed_body' }]);
    }
    expect((await refusalOf({ ...whole, headers: { 'content-type': 'text/plain' } }))[0]).toBe(415);
  });

  test('with another file, or two, is refused completely', async () => {
    const stray = await multipart({ ...anApplication(), photo: resumeFile() });
    expect(await refusalOf(stray)).toMatchObject([400, { code: 'malformed_body' }]);
    const two = await multipart({ ...withResume(aPdf()), other: resumeFile() });
    expect(await refusalOf(two)).toMatchObject([400, { message: 'Send one file at a time.' }]);
  });

  /** Forms with parts that would slow down an inefficient parser. */
  const slow: [what: string, sent: Sent][] = [
    ['4.5 MB of nothing but boundaries', parts('--b\r\n\r\n'.repeat(640_000))],
    ['a million parts without headers', parts('--b\r\n'.repeat(900_000))],
    ['10,000 fields', parts(`${field('a', '1').repeat(10_000)}--b--\r\n`)],
    ['100,000 headers of one part', parts(`--b\r\n${'a: b\r\n'.repeat(100_000)}\r\n`)],
    ['a header of 4 MB', parts(`--b\r\nContent-Disposition: form-data; name="${'a;'.repeat(2_000_000)}"\r\n\r\n`)],
    ['a boundary of 8,000 characters', parts('a'.repeat(4_000_000), 'a'.repeat(8_000))],
    ['a million incomplete boundaries', parts(`--b\r\n\r\n${'\r\n--'.repeat(1_000_000)}`)],
  ];
  test.for(slow)('with %s is refused', async ([, sent]) => {
    expect(await refusalOf(sent)).toMatchObject([400, { code: 'malformed_body' }]);
  });
});

describe('An application that is sent twice', () => {
  test('with the same key but another resume is two applications', async () => {
    const key = { 'idempotency-key': 'one' };
    await apply(undefined, key);
    await apply(withResume(aPdf(3_000)), key);
    expect([(await list()).length, (await storedResumes()).length]).toEqual([2, 2]);
  });

  test('by a double click without scripts is one application, even at the end of a time window', async () => {
    site.advance(9.9 * 60_000);
    const first = await apply(undefined, page);
    site.advance(60_000);
    const second = await apply(undefined, page);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect([(await list()).length, await storedResumes()]).toEqual([1, [(await list())[0]?.id]]);
  });
});

test('A form without scripts is redirected to a page with the reference', async () => {
  const response = await apply({ ...anApplication(), resume: resumeFile(), website: '', fillMs: '' }, page);
  const [stored] = await list();
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`/join-team/sent?reference=${stored?.reference}&mail=later`);
});

describe('While a store is unreachable', () => {
  test('an application waits in the blob store with its resume, and a retry does not wait twice', async () => {
    const broken = await site.without('submissions');
    const key = { 'idempotency-key': 'again' };
    const first = await apply(undefined, key, broken);
    const second = await apply(undefined, key, broken);
    expect(first.status).toBe(201);
    expect(await second.json()).toEqual(await first.json());
    expect(takeLog().join('\n')).not.toMatch(/Mara|quill/i);
    expect([await list(), (await storedResumes()).length]).toEqual([[], 1]);
    await tick();
    const [stored] = await list();
    expect([stored?.reference, stored?.id]).toEqual([
      (await (await apply(undefined, key)).json()).reference,
      (await storedResumes())[0],
    ]);
    expect(await site.services.stores.spool.keys()).toEqual([]);
  });

  test('a resume waits in the database, where it can be read, and is moved when the blob store is back', async () => {
    const away = await testServices();
    await away.close();
    const { resumeStore } = await import('../../../netlify/server/submissions/blobs.ts');
    const resumes = resumeStore(site.services.database, () => away.blobs('resumes'));
    const broken = { ...site.services, stores: { ...site.services.stores, resumes } };
    expect((await apply(undefined, {}, broken)).status).toBe(201);
    expect(takeLog().join()).toMatch(/waits in the database/);
    const id = (await list())[0]?.id ?? '';
    expect([await storedResumes(), await resumes.get(id)]).toEqual([[], aPdf()]);
    await tick();
    expect([await storedResumes(), await site.services.stores.resumes.get(id)]).toEqual([[id], aPdf()]);
  });

  test('a resume whose application could not be stored is deleted, unless an earlier try has stored both', async () => {
    const broken = await site.without('submissions', 'spool');
    expect((await apply(undefined, {}, broken)).status).toBe(503);
    await expect.poll(storedResumes).toEqual([]);
    const key = { 'idempotency-key': 'again' };
    expect((await apply(undefined, key)).status).toBe(201);
    expect((await apply(undefined, key, broken)).status).toBe(503);
    expect(await storedResumes()).toEqual([(await list())[0]?.id]);
    takeLog();
  });

  test('the applicant sees an error only if both stores are unreachable', async () => {
    const response = await apply(undefined, {}, await site.without('submissions', 'spool', 'resumes'));
    expect([response.status, (await response.json()).message]).toEqual([
      503,
      "We couldn't save your application. Please try again later.",
    ]);
    takeLog();
  });
});
