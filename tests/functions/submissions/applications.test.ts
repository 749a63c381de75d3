import { describe, expect, test } from 'vitest';
import type { ApplicationPage } from '../../../src/domain/submissions/application.ts';
import { useApi } from '../../support/api/api.ts';
import { aDocx, aPdf } from '../../support/samples/files.ts';
import { type anApplication, resumeFile } from '../../support/samples/resumes.ts';
import type { Sent } from '../../support/api/services.ts';

const site = useApi();

const admin = (path: string, sent?: Sent) => site.admin(`/api/contact/applications${path}`, sent);
const list = async (query = ''): Promise<ApplicationPage> => (await admin(query)).json();
async function apply(changes: Parameters<typeof anApplication>[0] = {}, file = resumeFile()) {
  site.advance(1_000);
  expect((await site.apply({ ...changes, resume: file })).status).toBe(201);
  return (await list()).data[0]?.id ?? '';
}

describe('Applications', () => {
  test('leave the inbox when they are handled, and return when they are reopened', async () => {
    const id = await apply();
    const handled = await (await admin(`/${id}/handled`, { json: { handled: true } })).json();
    expect(handled.handledAt).toMatch(/Z$/);
    expect((await list()).data).toEqual([]);
    expect((await list('?status=handled')).data).toHaveLength(1);
    expect((await list()).counts).toEqual({ inbox: 0, handled: 1, quarantine: 0, leaving: 0 });
    await admin(`/${id}/handled`, { json: { handled: false } });
    expect((await list()).data).toHaveLength(1);
    expect((await admin(`/${id}/handled`, { json: {} })).status).toBe(400);
    expect((await admin('/nobody/handled', { json: { handled: true } })).status).toBe(404);
  });

  test('have a note that only admins see', async () => {
    const id = await apply();
    const note = (text: unknown) => admin(`/${id}/note`, { method: 'PUT', json: { note: text } });
    expect((await (await note(' Call on Monday.\r\nAsk about SuiteQL. ')).json()).note).toBe(
      'Call on Monday.\nAsk about SuiteQL.',
    );
    expect((await list()).data[0]?.note).toBe('Call on Monday.\nAsk about SuiteQL.');
    expect((await note('x'.repeat(5_001))).status).toBe(400);
    expect((await note('')).status).toBe(200);
  });

  test('keep the note of the first admin, and the second one gets it with the refusal', async () => {
    const id = await apply();
    const note = (text: string, was: string) => admin(`/${id}/note`, { method: 'PUT', json: { note: text, was } });
    expect((await note('Call on Monday.', '')).status).toBe(200);
    const late = await note('Called.', '');
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ code: 'conflict', current: { id, note: 'Call on Monday.' } });
    expect((await list()).data[0]?.note).toBe('Call on Monday.');
    // A note that equals the stored note causes no conflict, even with an outdated `was`. An admin who sends the stored
    // note as `was` can replace the note.
    expect((await note('Call on Monday.', '')).status).toBe(200);
    expect((await note('Called.', 'Call on Monday.')).status).toBe(200);
  });

  test('are exported as CSV without formulas', async () => {
    await apply({ fullName: '=cmd()', coverLetter: 'Two\nlines "quoted"' });
    const response = await admin('.csv');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="applications-2026-03-02.csv"');
    const text = await response.text();
    expect(text).toContain('"Phone","Position","Experience","Cover letter","Resume"');
    expect(text).toContain('"\'=cmd()"');
    expect(text).toContain('"Two\nlines ""quoted"""');
    expect(text).toContain('"4-5 years"');
  });
});

describe('A resume', () => {
  test('is downloaded byte for byte, as an attachment that browsers do not show, run or cache', async () => {
    const id = await apply({}, resumeFile(aPdf(70_000), 'Lebenslauf Müller; <x>.pdf'));
    const response = await admin(`/${id}/resume`);
    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(aPdf(70_000));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Lebenslauf M_ller_ _x_.pdf"; filename*=UTF-8''Lebenslauf%20M%C3%BCller%3B%20%3Cx%3E.pdf`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  test('has the type of its content, regardless of its file name', async () => {
    const id = await apply({}, resumeFile(aDocx(), 'resume.exe'));
    expect((await admin(`/${id}/resume`)).headers.get('content-disposition')).toContain('filename="resume.exe.docx"');
  });

  test('of an unknown application is not found', async () => {
    expect((await admin('/nobody/resume')).status).toBe(404);
  });
});
