import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeOf, netsuite } from '../support/samples/netsuite.ts';

const samples = codeOf('suitescript-guide', 'js');
const sampleOf = (type: string): string => samples.find((code) => code.includes(`@NScriptType ${type}`)) ?? '';
const orders = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index + 1) }));

test('every JavaScript sample in the articles is run by a test in this file', () => {
  const all = readdirSync('content/articles').flatMap((file) =>
    codeOf(file.replace('.mdx', ''), 'js').map((code) => /@NScriptType (\w+)|function (\w+)|jest/.exec(code)),
  );
  expect(all.map((found) => found?.[1] ?? found?.[2] ?? found?.[0]).toSorted()).toEqual([
    'ClientScript',
    'MapReduceScript',
    'Restlet',
    'ScheduledScript',
    'Suitelet',
    'UserEventScript',
    'jest',
    'upsertCustomer',
  ]);
});

test.each([
  ['2026-11-19', false],
  ['2026-11-20', true],
  ['', true],
])('The client script prevents a save if the ship date (%j) is before the order date, and no other save', (day, ok) => {
  const { entryPoints, of } = netsuite(sampleOf('ClientScript'));
  const values: Record<string, unknown> = { trandate: new Date('2026-11-20'), shipdate: day && new Date(day) };
  const currentRecord = { getValue: ({ fieldId }: { fieldId: string }) => values[fieldId] };
  expect(entryPoints['saveRecord']?.({ currentRecord })).toBe(ok);
  expect(of('dialog.alert')).toHaveLength(ok ? 0 : 1);
});

const over = { entity: 42, total: 150 };
test.each<[what: string, values: Record<string, unknown>, given: object, written: unknown[], used: number]>([
  ['flags an order above the credit limit, for one unit', over, {}, [true], 1],
  ['flags a new order', over, { type: 'create' }, [true], 1],
  ['writes nothing below the limit', { entity: 42, total: 100 }, {}, [], 1],
  ['writes nothing without a limit', { entity: 42, total: 5_000 }, { creditlimit: '' }, [], 1],
  ['ignores an inline edit', { entity: 42, total: 5_000 }, { type: 'xedit' }, [], 0],
  ['does not clear an order with an empty total', { entity: 42, total: '' }, {}, [], 0],
  ['does not clear an order without a total', { entity: 42, total: null }, {}, [], 0],
  ['does not clear an order whose total is unknown', { entity: 42 }, {}, [], 0],
  ['leaves an order that the credit department has released', { ...over, custbody_credit_released: true }, {}, [], 0],
])('The user event script %s', (_what, values, given, written, used) => {
  const { type, ...customer } = { type: 'edit', balance: '900.00', creditlimit: '1000.00', ...given };
  const script = netsuite(sampleOf('UserEventScript'), { 'search.lookupFields': () => customer });
  const setValue = vi.fn();
  const newRecord = { getValue: ({ fieldId }: { fieldId: string }) => values[fieldId], setValue };
  const UserEventType = { CREATE: 'create', EDIT: 'edit', XEDIT: 'xedit' };
  script.entryPoints['beforeSubmit']?.({ type, newRecord, UserEventType });
  expect([setValue.mock.calls.map(([option]) => option.value), script.used()]).toEqual([written, used]);
});

describe('The Suitelet', () => {
  const post = (entered: string, answers = {}) => {
    const script = netsuite(sampleOf('Suitelet'), answers);
    const write = vi.fn();
    const request = { method: 'POST', parameters: { custpage_orders: entered } };
    script.entryPoints['onRequest']?.({ request, response: { write } });
    const task = script.of('task.submit')[0]?.options;
    return { answer: write.mock.calls[0]?.[0], queued: task && JSON.parse(task.params.custscript_orders), script };
  };

  test('shows a form first', () => {
    const { entryPoints, of } = netsuite(sampleOf('Suitelet'));
    const writePage = vi.fn();
    entryPoints['onRequest']?.({ request: { method: 'GET' }, response: { writePage } });
    expect(writePage).toHaveBeenCalledOnce();
    expect(of('form.addField')).toHaveLength(1);
  });

  test('releases each order once and ignores values that are not IDs', () => {
    const { answer, queued, script } = post('7\n7 x\n-1 9');
    expect(answer).toBe('2 released');
    expect(queued).toBeUndefined();
    expect(script.of('record.submitFields').map(({ options }) => options.id)).toEqual(['7', '9']);
  });

  test('gives orders that exceed its units to a task, and never runs out of units', () => {
    const { answer, queued, script } = post(
      orders(200)
        .map(({ id }) => id)
        .join('\n'),
    );
    expect(answer).toBe('98 released, 102 queued');
    expect(queued).toHaveLength(102);
    expect(queued[0]).toBe('99');
    expect(script.used()).toBe(1_000);
  });

  test('lists the orders that are left if they cannot be queued', () => {
    const entered = orders(100).map(({ id }) => id);
    const refused = () => {
      throw new Error('FAILED_TO_SUBMIT_JOB_REQUEST_1');
    };
    const { answer, script } = post(entered.join('\n'), { 'task.submit': refused });
    expect(answer).toBe('98 released. Not queued, so enter these again: 99, 100');
    expect(script.of('log.error')).toHaveLength(1);
  });
});

describe('The scheduled script', () => {
  const run = (count: number, failing?: string) => {
    const script = netsuite(sampleOf('ScheduledScript'), {
      getRange: () => orders(count),
      'record.submitFields': ({ id }) => {
        if (id === failing) throw new Error('RCRD_HAS_BEEN_CHANGED');
      },
    });
    script.entryPoints['execute']?.();
    return { updated: script.of('record.submitFields').length, log: script, used: script.used() };
  };

  test('stops while it still has units, and states how many orders are left', () => {
    const { updated, log, used } = run(1_000);
    expect(updated).toBe(989);
    expect(used).toBeLessThanOrEqual(10_000 - 95);
    expect(log.of('log.audit')[0]?.options.details).toBe('11 orders wait for the next run');
  });

  test('continues after an order that fails, and logs that order', () => {
    const { updated, log } = run(3, '2');
    expect(updated).toBe(3);
    expect(log.of('log.error').map(({ options }) => options.title)).toEqual(['order 2']);
    expect(log.of('log.audit')).toEqual([]);
  });
});

test('the Map/Reduce script updates an order once, however many lines it finds, and logs failed keys', () => {
  const { entryPoints, of } = netsuite(sampleOf('MapReduceScript'));
  const keys = new Set<string>();
  for (const id of ['5', '5', '6']) {
    entryPoints['map']?.({ value: JSON.stringify({ id }), write: ({ key }: { key: string }) => keys.add(key) });
  }
  for (const key of keys) entryPoints['reduce']?.({ key });
  expect(of('record.submitFields').map(({ options }) => options.id)).toEqual(['5', '6']);
  const none = { errors: { iterator: () => ({ each: () => undefined }) } };
  const failed = {
    errors: { iterator: () => ({ each: (visit: (key: string, error: string) => boolean) => visit('6', 'locked') }) },
  };
  entryPoints['summarize']?.({ inputSummary: { error: null }, mapSummary: none, reduceSummary: failed });
  expect(of('log.error').map(({ options }) => options)).toEqual([{ title: 'order 6', details: 'locked' }]);
});

describe('The RESTlet', () => {
  const get = (ref: string | undefined, rows: object[] = []) => {
    const { entryPoints, of } = netsuite(sampleOf('Restlet'), { 'query.runSuiteQL': () => rows });
    const { content, contentType } = entryPoints['get']?.({ ref }) as Record<'content' | 'contentType', string>;
    expect(contentType).toBe('application/json');
    return { body: JSON.parse(content), asked: of('query.runSuiteQL').map(({ options }) => options.params) };
  };

  test('returns JSON and binds the reference', () => {
    const order = { id: 1, tranid: 'SO1', status: 'B' };
    expect(get('PO-123', [order])).toEqual({ body: { ok: true, order }, asked: [['PO-123']] });
    expect(get('PO-123').body).toEqual({ ok: false, error: 'NOT_FOUND' });
    expect(get('PO-123', [order, order]).body).toEqual({ ok: false, error: 'AMBIGUOUS' });
  });

  test.each([[undefined], ["PO-1' OR '1'='1"], ['po-1']])('requests nothing for the invalid reference %o', (ref) => {
    expect(get(ref)).toEqual({ body: { ok: false, error: 'BAD_REFERENCE' }, asked: [] });
  });
});

test('the Jest test passes against the sample that it tests', () => {
  const lookupFields = vi.fn();
  const script = netsuite(sampleOf('UserEventScript'), { 'search.lookupFields': lookupFields }).entryPoints;
  const passed: string[] = [];
  const runTest = (name: string, body: () => void): void => {
    body();
    passed.push(name);
  };
  const code = samples.find((sample) => sample.includes('jest'))!.replace(/^import .*\n/gm, '');
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('script', 'search', 'jest', 'test', 'expect', code)(
    script,
    { lookupFields },
    { mock: () => undefined, fn: vi.fn },
    runTest,
    expect,
  );
  expect(passed).toEqual(['flags an order over the credit limit']);
});

describe('The retry sample of the integration guide', () => {
  const code = codeOf('netsuite-integration-strategy', 'js')[0]!.replace('export async', 'return async');
  const given = { base: 'https://x.test', token: 't', extId: 'SHOP/1', body: { companyName: 'Quill' } };
  type Upsert = (input: typeof given) => Promise<number>;

  /** Runs the sample against these responses in order. Delays are recorded and take no time. */
  async function run(...answers: (number | Error)[]) {
    const waits: number[] = [];
    const fetch = vi.fn(async (_url: string, _options: { method: string; signal: AbortSignal }) => {
      const answer = answers.shift()!;
      if (answer instanceof Error) throw answer;
      return new Response(answer === 204 ? null : 'because', { status: answer });
    });
    const wait = (done: () => void, ms: number): void => {
      waits.push(ms);
      done();
    };
    // oxlint-disable-next-line typescript/no-implied-eval
    const upsert = new Function('fetch', 'setTimeout', code)(fetch, wait) as Upsert;
    const result = await upsert(given).catch((error: Error) => error.message);
    return { result, waits, fetch };
  }
  afterEach(() => vi.restoreAllMocks());

  test('repeats the same PUT after a busy response, a server error and a dropped connection', async () => {
    const { result, fetch } = await run(429, 503, new TypeError('fetch failed'), 204);
    expect(result).toBe(204);
    expect(new Set(fetch.mock.calls.map(([url]) => url))).toEqual(
      new Set(['https://x.test/services/rest/record/v1/customer/eid:SHOP%2F1']),
    );
    expect(fetch.mock.calls.every(([, { method, signal }]) => method === 'PUT' && signal instanceof AbortSignal)).toBe(
      true,
    );
  });

  test.each([400, 401, 403])('does not repeat a request that a person has to correct (%i)', async (status) => {
    const { result, fetch } = await run(status);
    expect(result).toBe(`NetSuite ${status}: because`);
    expect(fetch).toHaveBeenCalledOnce();
  });

  test('waits longer after each attempt, and gives up after five attempts', async () => {
    const { result, waits, fetch } = await run(429, 429, new TypeError('fetch failed'), 500, 429);
    expect(result).toMatch(/^No success after 5 attempts/);
    expect(fetch).toHaveBeenCalledTimes(5);
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(waits.every((ms, attempt) => ms >= 2 ** attempt * 1_000 && ms < 2 ** attempt * 1_000 + 500)).toBe(true);
  });
});

const lines =
  readFileSync('dist/templates/roi-model.csv', 'utf8')
    .replace(/^\uFEFF/, '')
    .match(/(?:"(?:[^"]|"")*"|[^\r])*\r\n/g) ?? [];
const sheet = lines.map((line) =>
  [...line.trimEnd().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  ),
);

/** Returns the value that a spreadsheet shows in a cell, such as `F21`. */
function valueOf(cell: string): number {
  const content = sheet[Number(cell.slice(1)) - 1]?.[cell.charCodeAt(0) - 65] ?? '';
  if (!content.startsWith('=')) return Number(content);
  const expression = content
    .slice(1)
    .replaceAll('^', '**')
    .replace(/SUM\((\w)(\d+):(\w)(\d+)\)/g, (_, left: string, top: string, right: string, bottom: string) => {
      const columns = 'ABCDEFGH'.slice('ABCDEFGH'.indexOf(left), 'ABCDEFGH'.indexOf(right) + 1).split('');
      const numbers = Array.from({ length: Number(bottom) - Number(top) + 1 }, (_unused, index) => Number(top) + index);
      return `(${columns.flatMap((column) => numbers.map((number) => column + number)).join('+')})`;
    })
    .replace(/[A-Z]\d+/g, (other) => `(${valueOf(other)})`);
  return runInNewContext(expression) as number;
}

test('The spreadsheet of the ROI guide calculates the figures of the guide', () => {
  const result = (label: string, column = 'F') =>
    valueOf(`${column}${sheet.findIndex(([, name]) => name === label) + 1}`);
  expect(['C', 'D', 'E', 'F'].map((year) => result('Total cost', year))).toEqual([200_000, 60_000, 60_000, 320_000]);
  expect(result('Total hard benefits')).toBe(360_000);
  expect(result('Cumulative', 'D')).toBe(-70_000);
  expect(result('ROI')).toBe(0.125);
  expect(Math.round(result('NPV, if all money moves at year end'))).toBe(11_570);
  expect(Math.round(result('NPV, year-one cost paid at the start'))).toBe(-6_612);
  expect(result('ROI with 20% contingency on year 1')).toBeCloseTo(0, 10);
  expect(result('ROI with 30% contingency on year 1')).toBeCloseTo(-0.0526, 4);
  expect(result('ROI with benefits 10% lower')).toBeCloseTo(0.0125, 10);
  expect(result('ROI without year-one benefits')).toBeCloseTo(0, 10);
});
