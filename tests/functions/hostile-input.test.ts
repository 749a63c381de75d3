import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import careerApplication from '../../netlify/functions/career-application.ts';
import contact from '../../netlify/functions/contact.ts';
import login from '../../netlify/functions/login.ts';
import uploads from '../../netlify/functions/uploads.ts';
import type { Handler } from '../../netlify/server/endpoint/endpoint.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type Sent, type TestServices, call, testServices } from '../support/services.ts';
import { longestStall, stallOf } from '../support/stall.ts';

let site: TestServices;
beforeEach(async () => {
  site = await testServices();
});
afterEach(() => site.close());

const json = (text: string): Sent => ({ body: text, headers: { 'content-type': 'application/json' } });
const form = (text: string): Sent => ({ body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const parts = (text: string, boundary = 'b'): Sent => ({
  body: text,
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
});
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const acute = '\u0301';
const alternating = '\u0316\u0301';

/** All public routes that accept a body, with the fields of their forms. */
const routes: { handler: Handler; path: string; fields: Record<string, unknown> }[] = [
  { handler: contact, path: '/api/contact', fields: anInquiry() },
  {
    handler: careerApplication,
    path: '/api/career-application',
    fields: { fullName: 'Ada', email: 'ada@example.com', coverLetter: 'Hello.' },
  },
  { handler: login, path: '/api/login', fields: { email: 'ada@example.com', password: 'wrong' } },
  { handler: uploads, path: '/api/uploads', fields: { name: 'cv.pdf', size: 5, purpose: 'resume', type: '' } },
];

/** Large bodies that would slow down an inefficient parser. */
const bodies: [what: string, sent: Sent][] = [
  ['4.5 MB of nothing but boundaries', parts('--b\r\n\r\n'.repeat(640_000))],
  ['a million parts without headers', parts('--b\r\n'.repeat(900_000))],
  ['10,000 fields in parts', parts(`${field('a', '1').repeat(10_000)}--b--\r\n`)],
  ['parts with 100,000 headers', parts(`--b\r\n${'a: b\r\n'.repeat(100_000)}\r\n`)],
  [
    'a part with a header of 4 MB',
    parts(`--b\r\nContent-Disposition: form-data; name="${'a;'.repeat(2_000_000)}"\r\n\r\n`),
  ],
  ['a boundary of 8,000 characters', parts('a'.repeat(4_000_000), 'a'.repeat(8_000))],
  ['a million incomplete boundaries', parts(`--b\r\n\r\n${'\r\n--'.repeat(1_000_000)}`)],
  ['100,000 fields of a form', form('a=1&'.repeat(100_000))],
  ['a form of separators only', form('&'.repeat(120_000))],
  ['100,000 keys of JSON', json(`{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join()}}`)],
  [
    '11,000 keys of JSON, within the size limit',
    json(`{${Array.from({ length: 11_000 }, (_, n) => `"k${n}":1`).join()}}`),
  ],
  ['60,000 levels of JSON', json(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['a list of 60,000 lists', json(`{"a":[${'[],'.repeat(30_000)}[]]}`)],
  ['an endless string of JSON', json(`{"a":"${'\\\\'.repeat(60_000)}`)],
];

/** Texts that would slow down an inefficient validation rule. */
const texts: [what: string, text: string][] = [
  ['accents on one letter', `e${acute.repeat(60_000)}`],
  ['accents in the wrong order', `e${alternating.repeat(30_000)}`],
  ['accents within the limit of a message', `e${alternating.repeat(4_999)}`],
  ['hyphens', 'a-'.repeat(60_000)],
  ['hyphens within the limit of a message', 'a-'.repeat(4_999)],
  ['spaces', `a${' '.repeat(120_000)}b`],
  ['line breaks', '\r\n\r'.repeat(40_000)],
  ['at signs and dots', '@.'.repeat(60_000)],
  ['beginnings of links', '<a '.repeat(40_000)],
  ['beginnings of addresses', 'http://www.'.repeat(10_000)],
  ['lone surrogates', '\ud800'.repeat(60_000)],
  ['marks that reverse text', '\u202e'.repeat(60_000)],
];

describe.each(routes)('A body sent to $path', ({ handler, path, fields }) => {
  test.for(bodies)('of %s is refused, without delaying other visitors', async ([, sent]) => {
    const { stall, result } = await stallOf(() => call(handler, path, site.services, sent));
    expect(stall).toBeLessThan(longestStall);
    expect([400, 401, 413, 415]).toContain(result.status);
  });

  test.for(texts)('full of %s in every field gets a response, without delaying other visitors', async ([, text]) => {
    const filled = Object.fromEntries(Object.keys(fields).map((name) => [name, text]));
    const one = Object.keys(fields).map((name) => ({ ...fields, [name]: text }));
    for (const body of [filled, ...one]) {
      const { stall } = await stallOf(() => call(handler, path, site.services, { json: body }));
      expect(stall).toBeLessThan(longestStall);
    }
    const { stall } = await stallOf(() => call(handler, path, site.services, { form: { ...filled } }));
    expect(stall).toBeLessThan(longestStall);
  });
});

describe('A message', () => {
  const message = (text: string) =>
    call(contact, '/api/contact', site.services, { json: anInquiry({ message: text }) });

  test('of 10,000 letters is accepted, in every script and spelling', async () => {
    for (const letter of ['x', '字', 'é', 'e\u0301', '한'.normalize('NFD')]) {
      expect((await message(letter.repeat(10_000))).status, letter).toBe(201);
    }
    const native = { form: { ...anInquiry(), message: '字'.repeat(10_000) } };
    const answer = await call(contact, '/api/contact', site.services, native);
    expect(answer.headers.get('location')).toContain('/contact/sent');
  });

  test('keeps 30 accents of a letter, more than any language has', async () => {
    await message(`Hello there, ${'q'}${acute.repeat(500)}!`);
    const { data } = await site.services.stores.inquiries.list({
      q: '',
      sort: '-createdAt',
      limit: 1,
      status: 'inbox',
    });
    expect(data[0]?.message).toBe(`Hello there, q${acute.repeat(30)}!`);
  });

  test('with spaces around it can be longer than the limit, and a text that is far too long gets an error with the limit', async () => {
    expect((await message(`${' '.repeat(5_000)}${'x'.repeat(10_000)}${' '.repeat(5_000)}`)).status).toBe(201);
    const refused = await message('x'.repeat(100_000));
    expect(await refused.json()).toMatchObject({ message: 'Please use at most 10,000 characters.' });
  });
});

test('A form can have 100 fields, and a form with more gets an error', async () => {
  const many = (count: number) => `${'a=1&'.repeat(count - 1)}a=1`;
  const answer = (text: string) => call(contact, '/api/contact', site.services, form(text));
  expect((await (await answer(many(100))).json()).code).toBe('invalid_input');
  expect(await (await answer(many(102))).json()).toMatchObject({
    code: 'malformed_body',
    message: 'The form has too many fields. The limit is 100.',
  });
});
