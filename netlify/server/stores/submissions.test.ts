import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applicationFields } from '../../../src/domain/application.ts';
import type { Field } from '../../../src/domain/field.ts';
import { inquiryFields } from '../../../src/domain/inquiry.ts';
import { anInquiry } from '../../../tests/support/inquiries.ts';
import { type TestServices, testServices } from '../../../tests/support/services.ts';
import { sql, text } from '../db/database.ts';
import { searchIndex } from '../db/search-index.ts';
import { columnOf } from './submissions.ts';

let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

const columnsOf = async (table: string) =>
  (await site.services.database.read(sql(`SELECT name FROM pragma_table_info('${table}')`))).map(({ name }) =>
    text(name),
  );
const id = '1f9e0b52-7c1d-4e0a-9b1e-3d5c7a9f2b64';
const submission = { id, status: 'inbox', suspicions: [], createdAt: '2026-03-02T18:30:00.000Z' } as const;

describe('A declared field', () => {
  const declared: [string, Readonly<Record<string, Field>>][] = [
    ['inquiries', inquiryFields],
    ['applications', applicationFields],
  ];

  test.for(declared)('of %s has a column in the database', async ([table, fields]) => {
    const columns = await columnsOf(table);
    const missing = Object.keys(fields)
      .map(columnOf)
      .filter((column) => !columns.includes(column));
    expect(missing, 'Add a migration that adds these columns (CONTRIBUTING.md#add-a-field).').toEqual([]);
  });

  test.for(declared)('of %s is in the search index if it is searchable', async ([table, fields]) => {
    const searched = Object.entries(fields).flatMap(([name, { searched }]) => (searched ? [columnOf(name)] : []));
    expect(
      await columnsOf(`${table}_words`),
      'Add a migration that recreates the search index with the searched columns (CONTRIBUTING.md#add-a-field).',
    ).toEqual(searched);
  });
});

test('A search index that a migration recreates finds old and new submissions by the new columns, and no erased ones', async () => {
  const { database, stores } = site.services;
  const found = async () =>
    (await stores.inquiries.list({ q: 'project recovery', status: 'inbox', sort: 'createdAt', limit: 9 })).data.map(
      (inquiry) => inquiry.company,
    );
  const another = { ...submission, id: id.replace('1', '2') };
  await stores.inquiries.create({ ...submission, input: anInquiry({ company: 'Old' }) });
  expect(await found()).toEqual([]);
  await database.apply(searchIndex('inquiries', ['full_name', 'service_interest']).map((statement) => sql(statement)));
  await stores.inquiries.create({ ...another, input: anInquiry({ company: 'New' }) });
  expect(await found()).toEqual(['Old', 'New']);
  await stores.inquiries.remove(id);
  expect(await found()).toEqual(['New']);
  await database.apply([sql(`INSERT INTO inquiries_words (inquiries_words, rank) VALUES ('integrity-check', 1)`)]);
});

describe('A submission in the inbox', () => {
  const queued = async () =>
    (await site.services.database.read(sql('SELECT audience, status FROM outbox ORDER BY audience'))).map(
      ({ audience, status }) => `${text(audience)} ${text(status)}`,
    );

  test('has its messages in the outbox, once', async () => {
    const { inquiries } = site.services.stores;
    for (let times = 0; times < 2; times += 1) await inquiries.create({ ...submission, input: anInquiry() });
    expect(await queued()).toEqual(['firm waiting', 'sender waiting']);
  });

  test('is refused without its messages, so a missing trigger cannot go unnoticed', async () => {
    const { database } = site.services;
    const stored = (status: string) =>
      database.write(
        sql(
          `INSERT INTO inquiries (id, full_name, email, company, service_interest, message, status, suspicions, created_at)
           VALUES ('one', '', '', '', '', '', ?, '[]', '')`,
          status,
        ),
      );
    await expect(stored('inbox')).rejects.toThrow(/no messages in the outbox/);
    await stored('quarantine');
    await expect(database.write(sql(`UPDATE inquiries SET status = 'inbox'`))).rejects.toThrow(/no messages/);
  });
});

describe('A stored submission', () => {
  test('is still shown after its option is removed from the form', async () => {
    const { inquiries } = site.services.stores;
    await inquiries.create({ ...submission, input: anInquiry({ serviceInterest: 'former-service' }) });
    expect(await inquiries.get(id)).toMatchObject({ serviceInterest: 'former-service' });
  });

  test('that waited in the blob store since before a field existed has an empty value for the field', async () => {
    const { inquiries } = site.services.stores;
    await inquiries.create({ ...submission, input: anInquiry({ company: undefined }) });
    expect(await inquiries.get(id)).toMatchObject({ company: '', fullName: 'Dana Whitfield' });
  });
});
