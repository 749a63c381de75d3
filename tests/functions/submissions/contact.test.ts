import { describe, expect, test } from 'vitest';
import type { InquiryPage } from '../../../src/domain/submissions/inquiry.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';

const site = useApi();

const post = (json: unknown, headers: Record<string, string> = {}) => site.ask('/api/contact', { json, headers });
const inbox = async (status: 'inbox' | 'quarantine' = 'inbox') =>
  (await site.read<InquiryPage>(`/api/contact/submissions?status=${status}`)).data;

describe('An inquiry', () => {
  test('is stored as it was written, and the response has its id and reference', async () => {
    const response = await post(anInquiry());
    const receipt = await response.json();
    expect(response.status).toBe(201);
    expect(receipt).toEqual({
      success: true,
      id: expect.any(String),
      reference: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    });
    const [stored] = await inbox();
    expect(stored).toMatchObject({ ...anInquiry(), id: receipt.id, reference: receipt.reference, suspicions: [] });
    expect(stored?.delivery.firm.status).toBe('waiting');
    expect(response.headers.get('x-request-id')).toBe('test-request');
  });

  test('keeps markup and line breaks as plain text, and removes only control characters', async () => {
    await post(
      anInquiry({ fullName: '<b>Dana</b>\u0000 W.', message: '<script>alert(1)</script>\r\nsecond\u0007 line\u202e' }),
    );
    const [stored] = await inbox();
    expect(stored?.fullName).toBe('<b>Dana</b> W.');
    expect(stored?.message).toBe('<script>alert(1)</script>\nsecond line');
  });

  test.for([
    ['fullName', 'D', 'Name must be at least 2 characters.'],
    ['fullName', ' \u0000D ', 'Name must be at least 2 characters.'],
    ['email', 'a@b', 'Please enter a valid email address.'],
    ['email', 'dana at example.com', 'Please enter a valid email address.'],
    ['company', '   ', 'Company name is required.'],
    ['serviceInterest', 'gardening', 'Please select a service.'],
    ['serviceInterest', '', 'Please select a service.'],
    ['message', 'too short', 'Message must be at least 10 characters.'],
    ['message', 42, 'Message must be at least 10 characters.'],
    ['message', 'x'.repeat(10_001), 'Please use at most 10,000 characters.'],
  ] as const)('with %s = %j is refused with its agreed message', async ([field, value, message]) => {
    const response = await post(anInquiry({ [field]: value }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      message,
      code: 'invalid_input',
      requestId: 'test-request',
      errors: { [field]: message },
    });
    expect(await inbox()).toEqual([]);
  });

  test('without any fields names every field', async () => {
    const { errors } = await (await post({})).json();
    expect(Object.keys(errors)).toEqual(['fullName', 'email', 'company', 'serviceInterest', 'message']);
  });

  test.for([
    ['half of a JSON value', '[1,', 'application/json', 400, 'malformed_body'],
    ['the JSON value null', 'null', 'application/json', 400, 'invalid_input'],
    ['a JSON list', '[]', 'application/json', 400, 'invalid_input'],
    ['a JSON text', '"text"', 'application/json', 400, 'invalid_input'],
    ['plain text', 'hello', 'text/plain', 415, 'unsupported_media_type'],
    ['300 KB of JSON', `{"message":"${'x'.repeat(300_000)}"}`, 'application/json', 413, 'too_large'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe]), 'application/json', 400, 'malformed_body'],
  ] as const)('sent as %s is refused with the reason', async ([, body, type, status, code]) => {
    const response = await site.ask('/api/contact', {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { 'content-type': type },
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      code,
      message: expect.stringMatching(/^(The request|The data you sent|Send JSON)/),
    });
  });

  test('can contain unknown fields, which are ignored', async () => {
    const response = await post(anInquiry({ status: 'sent', id: 'mine', __proto__: { admin: true } }));
    expect(response.status).toBe(201);
    expect((await inbox())[0]?.id).not.toBe('mine');
  });
});

describe('A message', () => {
  const acute = '\u0301';
  const message = (text: string) => site.ask('/api/contact', { json: anInquiry({ message: text }) });

  test('of 10,000 letters is accepted, in every script and spelling', async () => {
    for (const letter of ['x', '字', 'é', 'e\u0301', '한'.normalize('NFD')]) {
      expect((await message(letter.repeat(10_000))).status, letter).toBe(201);
    }
    const native = { form: { ...anInquiry(), message: '字'.repeat(10_000) } };
    const answer = await site.ask('/api/contact', native);
    expect(answer.headers.get('location')).toContain('/contact/sent');
  });

  test('keeps 30 accents of a letter, more than any language has', async () => {
    await message(`Hello there, ${'q'}${acute.repeat(500)}!`);
    expect((await inbox())[0]?.message).toBe(`Hello there, q${acute.repeat(30)}!`);
  });

  test('with spaces around it can be longer than the limit, and a text that is far too long gets an error with the limit', async () => {
    expect((await message(`${' '.repeat(5_000)}${'x'.repeat(10_000)}${' '.repeat(5_000)}`)).status).toBe(201);
    const refused = await message('x'.repeat(100_000));
    expect(await refused.json()).toMatchObject({ message: 'Please use at most 10,000 characters.' });
  });
});

test('A form can have 100 fields, and a form with more gets an error', async () => {
  const many = (count: number) => `${'a=1&'.repeat(count - 1)}a=1`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = (text: string) => site.ask('/api/contact', { body: text, headers });
  expect((await (await answer(many(100))).json()).code).toBe('invalid_input');
  expect(await (await answer(many(102))).json()).toMatchObject({
    code: 'malformed_body',
    message: 'The form has too many fields. The limit is 100.',
  });
});

describe('A submission that is sent twice', () => {
  test('with the same key but different text is two inquiries, so corrected text is not lost', async () => {
    const key = { 'idempotency-key': 'one' };
    await post(anInquiry(), key);
    await post(anInquiry({ message: 'I forgot to say: the board meets on Thursday.' }), key);
    expect(await inbox()).toHaveLength(2);
  });

  test('without a key is two inquiries', async () => {
    await post(anInquiry());
    await post(anInquiry());
    expect(await inbox()).toHaveLength(2);
  });

  test('by a double click on a form without scripts is one inquiry, even at the end of a time window', async () => {
    const send = () => site.ask('/api/contact', { form: anInquiry() });
    // The clock of the tests starts at the beginning of a window of ten minutes.
    site.advance(9.9 * 60_000);
    const first = await send();
    const second = await send();
    site.advance(0.2 * 60_000);
    const third = await send();
    expect(first.status).toBe(303);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(third.headers.get('location')).toBe(first.headers.get('location'));
    expect(await inbox()).toHaveLength(1);
    site.advance(20 * 60_000);
    await send();
    expect(await inbox()).toHaveLength(2);
  });
});

test('A form without scripts that is incomplete is answered by a page with the error, even if the page of the form cannot be read', async () => {
  const response = await site.ask('/api/contact', { form: anInquiry({ message: 'short' }) });
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  const page = await response.text();
  expect(page).toContain('Message must be at least 10 characters.');
  expect(page).toContain('Select Back in your browser');
});

describe('An inquiry that looks like spam', () => {
  test.for([
    [{ website: 'https://spam.example' }, /People cannot see it/],
    [{ fillMs: '120' }, /two seconds/],
    [{ fillMs: 120 }, /two seconds/],
    [{ message: 'Buy [url=https://a.example]casino[/url] now please' }, /link markup/],
    [{ message: 'See https://a.example www.b.example www.c.example www.d.example http://e.example' }, /five or more/],
    [{ message: 'First page of Google! Backlinks at https://a.example and https://b.example' }, /search ranking/],
  ] as const)(
    '%j gets the usual response, is kept in quarantine with the reason, and sends no email',
    async ([changes, reason]) => {
      const response = await post(anInquiry(changes));
      expect(response.status).toBe(201);
      expect(await inbox()).toEqual([]);
      const [held] = await inbox('quarantine');
      expect(held?.suspicions.join(' ')).toMatch(reason);
      expect(held?.delivery.firm.status).toBe('none');
    },
  );

  test.for([
    [{ fillMs: '' }],
    [{ fillMs: '2500' }],
    [{ website: '' }],
    [{ message: 'Our shop is at https://shop.example; orders do not reach NetSuite.' }],
    [{ message: 'We rank suppliers in Google Sheets and want that in NetSuite instead.' }],
    [{ fullName: 'Žofia Łukasik', message: 'Potrzebujemy pomocy z wdrożeniem, proszę o kontakt.' }],
  ])('is not an ordinary inquiry such as %j', async ([changes]) => {
    await post(anInquiry(changes));
    expect(await inbox()).toHaveLength(1);
  });
});

test('While the database is unreachable, an inquiry waits in the blob store once, and keeps its id when the database is back', async () => {
  const broken = await site.without('submissions');
  const send = async () =>
    await site.ask('/api/contact', { json: anInquiry(), headers: { 'idempotency-key': 'again' } }, broken);
  const [first, second] = [await send(), await send()];
  expect(first.status).toBe(201);
  const receipt = await first.json();
  expect(await second.json()).toEqual(receipt);
  expect(await inbox()).toEqual([]);
  expect(await site.services.stores.spool.keys()).toHaveLength(1);
  const log = takeLog().join('\n');
  expect(log).toMatch(/waits in the file storage/);
  expect(log).not.toMatch(/Dana|Whitfield|slipped/);
  // Unreadable entries before and after the inquiry do not stop it.
  for (const name of ['0', 'g']) await site.blobs('spool').set(`inquiries/${name}`, '{');
  await site.tick();
  expect((await inbox()).map(({ id }) => id)).toEqual([receipt.id]);
  expect(await site.services.stores.spool.keys()).toEqual(['inquiries/0', 'inquiries/g']);
  expect(takeLog().join('\n')).toMatch(/could not move waiting submissions/);
});

test('While neither the database nor the blob store is reachable, the visitor is asked to send the inquiry later', async () => {
  const response = await site.ask('/api/contact', { json: anInquiry() }, await site.without('submissions', 'spool'));
  expect(response.status).toBe(503);
  expect((await response.json()).message).toMatch(/try again later/);
  expect(takeLog()).toHaveLength(2);
});
