import { describe, expect, test } from 'vitest';
import type { InquiryPage } from '../../../src/domain/submissions/inquiry.ts';
import { useApi } from '../../support/api/api.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import type { Sent } from '../../support/api/services.ts';

const site = useApi();

const json = (text: string): Sent => ({ body: text, headers: { 'content-type': 'application/json' } });
const form = (text: string): Sent => ({ body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const parts = (text: string, boundary = 'b'): Sent => ({
  body: text,
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
});
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const acute = '\u0301';

/** All public routes that accept a body, with the fields of their forms. */
const routes: { path: string; fields: Record<string, unknown> }[] = [
  { path: '/api/contact', fields: anInquiry() },
  {
    path: '/api/career-application',
    fields: { fullName: 'Ada', email: 'ada@example.com', coverLetter: 'Hello.' },
  },
  { path: '/api/login', fields: { email: 'ada@example.com', password: 'wrong' } },
  { path: '/api/uploads', fields: { name: 'cv.pdf', size: 5, purpose: 'resume', type: '' } },
];

/** Forms with parts that would slow down an inefficient parser. Only the route for applications reads them. */
const forms: [what: string, sent: Sent][] = [
  ['4.5 MB of nothing but boundaries', parts('--b\r\n\r\n'.repeat(640_000))],
  ['a million parts without headers', parts('--b\r\n'.repeat(900_000))],
  ['10,000 fields', parts(`${field('a', '1').repeat(10_000)}--b--\r\n`)],
  ['100,000 headers of one part', parts(`--b\r\n${'a: b\r\n'.repeat(100_000)}\r\n`)],
  ['a header of 4 MB', parts(`--b\r\nContent-Disposition: form-data; name="${'a;'.repeat(2_000_000)}"\r\n\r\n`)],
  ['a boundary of 8,000 characters', parts('a'.repeat(4_000_000), 'a'.repeat(8_000))],
  ['a million incomplete boundaries', parts(`--b\r\n\r\n${'\r\n--'.repeat(1_000_000)}`)],
];

/** Bodies that would slow down an inefficient parser of forms or JSON. */
const bodies: [what: string, status: number, sent: Sent][] = [
  ['100,000 fields of a form', 413, form('a=1&'.repeat(100_000))],
  ['a form of separators only', 400, form('&'.repeat(120_000))],
  ['100,000 keys of JSON', 413, json(`{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join()}}`)],
  [
    '11,000 keys of JSON, within the size limit',
    400,
    json(`{${Array.from({ length: 11_000 }, (_, n) => `"k${n}":1`).join()}}`),
  ],
  ['60,000 levels of JSON', 400, json(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['a list of 60,000 lists', 400, json(`{"a":[${'[],'.repeat(30_000)}[]]}`)],
  ['an endless string of JSON', 400, json(`{"a":"${'\\\\'.repeat(60_000)}`)],
];

test.for(forms)('A form with %s is refused', async ([, sent]) => {
  const refused = await site.ask('/api/career-application', sent);
  expect([refused.status, (await refused.json()).code]).toEqual([400, 'malformed_body']);
  expect((await site.ask('/api/contact', sent)).status).toBe(415);
});

/** Texts far above the limit of every field. The limit applies before the text is cleaned, so no rule reads them. */
const texts: [what: string, text: string][] = [
  ['accents on one letter', `e${acute.repeat(60_000)}`],
  ['spaces, which would be removed', `a${' '.repeat(120_000)}b`],
  ['at signs and dots', '@.'.repeat(60_000)],
];

describe.each(routes)('A body sent to $path', ({ path, fields }) => {
  test.for(bodies)('of %s is refused', async ([, status, sent]) => {
    expect((await site.ask(path, sent)).status).toBe(status);
  });

  test.for(texts)('with a field full of %s is refused, and the refusal names the field', async ([, text]) => {
    for (const name of Object.keys(fields)) {
      const response = await site.ask(path, { json: { ...fields, [name]: text } });
      expect([response.status, Object.keys((await response.json()).errors)], name).toEqual([
        400,
        expect.arrayContaining([name]),
      ]);
    }
  });
});

describe('A message', () => {
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
    const { data } = await site.read<InquiryPage>('/api/contact/submissions');
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
  const answer = (text: string) => site.ask('/api/contact', form(text));
  expect((await (await answer(many(100))).json()).code).toBe('invalid_input');
  expect(await (await answer(many(102))).json()).toMatchObject({
    code: 'malformed_body',
    message: 'The form has too many fields. The limit is 100.',
  });
});
