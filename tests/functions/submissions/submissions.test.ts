import { describe, expect, test } from 'vitest';
import { sql } from '../../../netlify/server/db/database.ts';
import type { InquiryPage } from '../../../src/domain/submissions/inquiry.ts';
import { useApi } from '../../support/api/api.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import type { Sent } from '../../support/api/services.ts';

const site = useApi();

const admin = (path: string, sent?: Sent) => site.admin(`/api/contact/submissions${path}`, sent);
const list = async (query = ''): Promise<InquiryPage> => (await admin(query)).json();
/** Returns the actions in the activity log, the oldest first. */
const actions = async () => (await site.activity()).map(({ action }) => action).reverse();
const send: typeof site.inquire = (changes) => {
  site.advance(1_000);
  return site.inquire(changes);
};

describe('The list of inquiries', () => {
  test('is newest first, in pages, and complete', async () => {
    for (let index = 0; index < 7; index += 1) await send({ company: `Company ${index}` });
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: InquiryPage = await list(`?limit=3${cursor && `&cursor=${cursor}`}`);
      names.push(...page.data.map((inquiry) => inquiry.company));
      cursor = page.nextCursor;
    }
    expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `Company ${index}`));
    const oldestFirst = await list('?sort=createdAt&limit=2');
    expect(oldestFirst.data.map((inquiry) => inquiry.company)).toEqual(['Company 0', 'Company 1']);
    const next = await list(`?sort=createdAt&limit=2&cursor=${oldestFirst.nextCursor}`);
    expect(next.data.map((inquiry) => inquiry.company)).toEqual(['Company 2', 'Company 3']);
  });

  test('does not lose or repeat a row if many arrive in the same millisecond or between two requests', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => site.ask('/api/contact', { json: anInquiry({ company: `C${index}` }) })),
    );
    const first = await list('?limit=10');
    await send({ company: 'Latecomer' });
    const second = await list(`?limit=50&cursor=${first.nextCursor}`);
    const seen = [...first.data, ...second.data].map((inquiry) => inquiry.company);
    expect(new Set(seen).size).toBe(20);
    expect(seen).toHaveLength(20);
  });

  test('contains inquiries about a service that the firm no longer offers, and from before a field existed', async () => {
    await send({ company: 'Early Client' });
    await site.services.database.write(
      sql`UPDATE submissions SET fields = json_remove(json_set(fields, '$.serviceInterest', 'payroll'), '$.company')`,
    );
    expect((await list()).data).toMatchObject([{ company: '', serviceInterest: 'payroll' }]);
    expect(await (await admin('.csv')).text()).toContain('payroll');
  });

  test('finds words of any field, the last word by its beginning, in any script and without accents', async () => {
    await send({ fullName: 'Žofia Łukasik', company: 'Müller GmbH', email: 'zofia@mueller.example' });
    await send({ message: 'Percent signs 100% and "quotes" * OR NOT NEAR( must not break the search.' });
    const found = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).data.length;
    expect(await found('muller')).toBe(1);
    expect(await found('zofia gmb')).toBe(1);
    expect(await found('zofia@mueller.ex')).toBe(1);
    expect(await found('"quotes" * OR')).toBe(1);
    expect(await found('NEAR( must')).toBe(1);
    expect(await found('gmb zofia')).toBe(0);
    expect(await found('nothing like it')).toBe(0);
    expect(await found('%')).toBe(2);
  });

  test('finds an inquiry by its reference, however it is spelled', async () => {
    const { id, reference } = await send();
    await send();
    for (const q of [reference, reference.toLowerCase(), reference.replace('-', ' '), reference.replaceAll('0', 'O')]) {
      expect((await list(`?q=${encodeURIComponent(q)}`)).data.map((inquiry) => inquiry.id)).toEqual([id]);
    }
  });

  test.for(['?limit=0', '?limit=1000', '?limit=x', '?sort=name', '?status=all', '?cursor=xyz', '?cursor=W10'])(
    'with %s is refused with a reason',
    async (query) => {
      const response = await admin(query);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid_input', errors: expect.any(Object) });
    },
  );
});

describe('Quarantine', () => {
  test('holds an inquiry until it is released, and then its email is due like that of a new inquiry', async () => {
    const { id } = await send({ website: 'autofilled' });
    expect((await list()).counts).toEqual({ inbox: 0, handled: 0, quarantine: 1 });
    const handled = await admin(`/${id}/handled`, { json: { handled: true } });
    expect(await handled.json()).toMatchObject({ status: 'quarantine', handledAt: null });
    expect((await admin(`/${id}/quarantine`, { method: 'POST' })).status).toBe(200);
    expect(await actions()).toEqual([]);
    const released = await (await admin(`/${id}/release`, { method: 'POST' })).json();
    expect(released).toMatchObject({ id, status: 'inbox', delivery: { firm: { status: 'waiting' } } });
    expect((await list()).data).toHaveLength(1);
    await admin(`/${id}/release`, { method: 'POST' });
    await admin(`/${id}/handled`, { json: { handled: true } });
    await admin(`/${id}/handled`, { json: { handled: true } });
    expect(await (await admin('.csv?status=handled')).text()).toContain('"handled"');
    await admin(`/${id}/handled`, { json: { handled: false } });
    expect(await actions()).toEqual([
      'released an inquiry',
      'marked an inquiry as handled',
      'exported inquiries as CSV',
      'reopened an inquiry',
    ]);
  });

  test('that ends after an hour makes the emails due now, and not overdue', async () => {
    const { id } = await send({ website: 'autofilled' });
    site.advance(3_600_000);
    const { delivery } = await (await admin(`/${id}/release`, { method: 'POST' })).json();
    const now = site.services.now().toISOString();
    expect([delivery.firm.at, delivery.sender.at]).toEqual([now, now]);
  });

  test('accepts an inquiry from the inbox, and stops its unsent email', async () => {
    const { id } = await send();
    const held = await (await admin(`/${id}/quarantine`, { method: 'POST' })).json();
    expect(held).toMatchObject({
      status: 'quarantine',
      delivery: { firm: { status: 'none' }, sender: { status: 'none' } },
    });
    expect((await admin(`/${id}/resend`, { json: { mail: 'firm' } })).status).toBe(409);
  });

  test('cannot contain an inquiry that does not exist', async () => {
    for (const action of ['', '/release', '/quarantine']) {
      expect((await admin(`/none${action}`, { method: action ? 'POST' : 'GET' })).status).toBe(404);
    }
    expect((await admin('/none/resend', { json: { mail: 'firm' } })).status).toBe(404);
  });
});

describe('The CSV export', () => {
  test('contains every row of the filter, is safe to open in a spreadsheet, and keeps the text', async () => {
    await send({
      fullName: '=HYPERLINK("x")',
      company: '+1 Inc',
      message: 'Line one,\n"line two" and more',
    });
    await send({ company: '  @sum' });
    await send({ company: '\u200b\u00ad＝1+1' });
    // Without commas as separators, a semicolon, a tab or a line break begins a cell, and quotation marks may precede its sign.
    await send({ company: 'a;=1+1;b', message: 'Line one;\t"-1\n@sum and a;b = c-d' });
    const response = await admin('.csv');
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="inquiries-2026-03-02.csv"');
    expect(text.startsWith('\ufeff"Reference","Received (UTC)"')).toBe(true);
    expect(text).toContain(`"'=HYPERLINK(""x"")"`);
    expect(text).toContain(`"'+1 Inc"`);
    expect(text).toContain('"Line one,\n""line two"" and more"');
    expect(text).toContain('"@sum"'.replace('@', "'@"));
    expect(text).toContain('"\'\u200b\u00ad＝1+1"');
    expect(text).toContain(`"a;'=1+1;b"`);
    expect(text).toContain(`"Line one;\t'""-1\n'@sum and a;b = c-d"`);
    expect(text.split('\r\n')).toHaveLength(6);
  });

  test('is complete over many pages, and does not delay visitors', async () => {
    const { stores } = site.services;
    for (let index = 0; index < 450; index += 1) {
      await stores.submissions.create('inquiry', {
        id: crypto.randomUUID(),
        input: anInquiry({ company: `C${index}` }),
        suspicions: [],
        createdAt: '2026-03-01T00:00:00.000Z',
      });
    }
    const response = await admin('.csv');
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const text = await response.text();
    clearImmediate(counting);
    expect(new Set(text.match(/"C\d+"/g)).size).toBe(450);
    expect(turns).toBeGreaterThan(2);
  });
});
