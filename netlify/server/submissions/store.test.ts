import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anInquiry } from '../../../tests/support/inquiries.ts';
import { type TestServices, testServices } from '../../../tests/support/services.ts';

let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

const id = '1f9e0b52-7c1d-4e0a-9b1e-3d5c7a9f2b64';
const submission = { id, status: 'inbox', suspicions: [], createdAt: '2026-03-02T18:30:00.000Z' } as const;

describe('A stored submission', () => {
  test('is still shown after its option is removed from the form', async () => {
    const { submissions } = site.services.stores;
    await submissions.create('inquiry', { ...submission, input: anInquiry({ serviceInterest: 'former-service' }) });
    expect(await submissions.get('inquiry', id)).toMatchObject({ serviceInterest: 'former-service' });
  });

  test('from before a field existed has an empty value for the field', async () => {
    const { submissions } = site.services.stores;
    await submissions.create('inquiry', { ...submission, input: anInquiry({ company: undefined }) });
    expect(await submissions.get('inquiry', id)).toMatchObject({ company: '', fullName: 'Dana Whitfield' });
  });

  test('is found until it is erased, and the search index stays intact', async () => {
    const { database, stores } = site.services;
    const found = async () =>
      (await stores.submissions.list('inquiry', { q: 'foods whitf', status: 'inbox', sort: 'createdAt', limit: 9 }))
        .data.length;
    await stores.submissions.create('inquiry', { ...submission, input: anInquiry() });
    expect(await found()).toBe(1);
    await stores.submissions.remove(id);
    expect(await found()).toBe(0);
    await database.apply([
      { sql: `INSERT INTO submissions_words (submissions_words) VALUES ('integrity-check')`, args: [] },
    ]);
  });
});
