import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sql, text } from '../../../netlify/server/db/database.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { aPdf } from '../../support/samples/files.ts';
import { anApplication } from '../../support/samples/resumes.ts';
import { uploadInParts } from '../../support/api/uploads.ts';

const site = useApi();

const find = (email: string) => site.admin('/api/contact/personal-data', { json: { email } });
const erase = (email: string) => site.admin('/api/contact/erase', { json: { email } });
const copy = (email: string) => site.admin('/api/contact/personal-data.json', { json: { email } });
const rowsOf = async (query: string) => (await site.rows(query)).length;

async function sendAll(email: string): Promise<void> {
  await site.inquire({ email });
  await site.apply({ email });
}

test('a person’s data is found by the email address, shown first, and then erased everywhere', async () => {
  await sendAll('mara@quill.example');
  await sendAll('other@person.example');
  const found = await (await find('MARA@quill.example')).json();
  expect(found).toMatchObject({
    inquiries: [expect.stringMatching(/^.{4}-.{4}$/)],
    applications: [expect.stringMatching(/^.{4}-.{4}$/)],
    waiting: 0,
  });
  expect(await (await erase('Mara@Quill.example')).json()).toMatchObject({ ...found, email: 'Mara@Quill.example' });
  expect(await (await find('mara@quill.example')).json()).toMatchObject({
    inquiries: [],
    applications: [],
    waiting: 0,
  });
  expect(await rowsOf('SELECT 1 FROM submissions')).toBe(2);
  // The other person's application has the same name.
  expect(await rowsOf(`SELECT 1 FROM submissions_words WHERE submissions_words MATCH 'mara'`)).toBe(1);
  expect(await rowsOf('SELECT 1 FROM outbox')).toBe(4);
  expect((await site.blobs('resumes').list()).blobs).toHaveLength(1);
  expect(JSON.stringify(await site.activity())).not.toMatch(/quill/i);
});

test('a person can get a copy of all their data as a file', async () => {
  await sendAll('mara@quill.example');
  await sendAll('other@person.example');
  const answer = await copy('Mara@quill.example');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="personal-data.json"/);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  const data = await answer.json();
  const of = { email: 'mara@quill.example' };
  expect(data).toMatchObject({ inquiries: [of], applications: [of] });
  expect(data.inquiries[0].message).toBe(anInquiry({}).message);
  expect(data.applications[0].resume).toMatchObject({ name: expect.any(String), size: expect.any(Number) });
});

test('the database file contains no text of an erased person', async () => {
  const { database } = site.services;
  const [file] = await database.read(sql`PRAGMA database_list`);
  const kept = async () => {
    await database.read(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
    return (await readFile(text(file?.file), 'latin1')).toLowerCase();
  };
  const send = async (index: number, words: string) => {
    const email = `${words || `person${index}`}@quill.example`;
    const written = `We are ${words} and count to ${index}, with many a word.`;
    await site.inquire({ email, message: written });
    await site.apply({ email, coverLetter: written });
  };
  for (let index = 0; index < 40; index += 1) await send(index, index % 10 === 5 ? 'Xylographzq' : '');
  // Searches the database file for the word without its first letter. The search index sorts the words, and omits the
  // first letters of a word if the previous word begins with the same letters.
  expect((await kept()).match(/ylographzq/g)?.length).toBeGreaterThan(10);
  await erase('xylographzq@quill.example');
  expect(await kept()).not.toContain('ylographzq');
  expect(await rowsOf(`SELECT 1 FROM submissions_words WHERE submissions_words MATCH 'count'`)).toBe(72);
});

test('a person is not found or erased without an email address', async () => {
  expect((await erase('nobody')).status).toBe(400);
});

test('an upload of a resume is erased with it', async () => {
  const id = await uploadInParts(aPdf(), (path, request) => site.ask(path, request));
  const email = 'mara@quill.example';
  const sent = { ...anApplication({ email }), uploadId: id };
  const headers = { 'idempotency-key': 'one' };
  expect((await site.ask('/api/career-application', { json: sent, headers })).status).toBe(201);
  // A retry of the same request finds the same upload.
  expect((await site.ask('/api/career-application', { json: sent, headers })).status).toBe(201);
  await erase(email);
  expect((await site.blobs('uploads').list()).blobs).toEqual([]);
  expect(await rowsOf('SELECT 1 FROM uploads')).toBe(0);
});

test('the text of a search, which may be an address, is not stored in the activity log', async () => {
  const list = await site.admin('/api/contact/submissions.csv?q=mara%40quill.example');
  await list.text();
  expect(await rowsOf('SELECT 1 FROM activity')).toBe(1);
  expect(await rowsOf(`SELECT 1 FROM activity WHERE subject LIKE '%quill%'`)).toBe(0);
});

test('erasures are repeated in a database that was restored without the restore command', async () => {
  const { database, stores } = site.services;
  await sendAll('mara@quill.example');
  await sendAll('other@person.example');
  const rows = await database.read(
    sql`SELECT * FROM submissions WHERE kind = 'inquiry' AND email = 'mara@quill.example'`,
  );
  await erase('mara@quill.example');
  // Simulates restoring only the database from a backup: the inquiry is back, and the list of erasures
  // is empty.
  const columns = Object.keys(rows[0] ?? {});
  await database.write(sql`DELETE FROM erasures`, {
    sql: `INSERT INTO submissions (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    args: columns.map((column) => rows[0]?.[column] ?? null),
  });
  expect(await stores.submissions.of('mara@quill.example')).toHaveLength(1);
  const entry = { at: '2026-01-01T00:00:00.000Z', who: 'owner@firm.example', action: 'invited' };
  await stores.activity.create(
    ['Mara@quill.example', 'other@person.example'].map((subject) => ({ ...entry, subject })),
  );
  await site.tick();
  const invited = (await site.activity()).filter(({ action }) => action === 'invited');
  expect(invited.map(({ subject }) => subject)).toEqual(['other@person.example', 'a person whose data was erased']);
  expect(await stores.submissions.of('mara@quill.example')).toEqual([]);
  expect(await stores.submissions.of('other@person.example')).toHaveLength(2);
});

test('a submission that is moved to the database while its sender is erased is erased too', async () => {
  await site.inquire({ email: 'mara@quill.example' }, await site.without('submissions'));
  takeLog();
  const { stores } = site.services;
  const spool: typeof stores.spool = {
    ...stores.spool,
    get: async (key) => {
      const waiting = await stores.spool.get(key);
      await erase('mara@quill.example');
      return waiting;
    },
  };
  await site.tick({ ...site.services, stores: { ...stores, spool } });
  expect(await rowsOf('SELECT 1 FROM submissions')).toBe(0);
  expect(await rowsOf('SELECT 1 FROM outbox')).toBe(0);
  expect(await stores.spool.keys()).toEqual([]);
});
