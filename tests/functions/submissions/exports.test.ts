import { expect, test } from 'vitest';
import { useApi } from '../../support/api/api.ts';

const site = useApi();

const csv = () => site.admin('/api/contact/submissions.csv');
const copy = () => site.admin('/api/contact/personal-data.json', { json: { email: 'ada@example.com' } });

/** Returns an array to which each response is added when it arrives. */
function arriving(answers: readonly Promise<Response>[]): Response[] {
  const arrived: Response[] = [];
  for (const answer of answers) void answer.then((response) => arrived.push(response));
  return arrived;
}

test('Two exports run at a time, six wait, and the next one gets an error; each finished export starts another', async () => {
  const asked = Array.from({ length: 8 }, csv);
  const open = arriving(asked);
  await expect.poll(() => open.length).toBe(2);
  expect(open.map(({ status }) => status)).toEqual([200, 200]);
  for (const refused of [await csv(), await copy()]) {
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({
      code: 'unavailable',
      message: 'Too many exports are running. Please try again in a moment.',
    });
  }

  // One open export is read to its end, and the other is canceled, so the next two exports start.
  expect(await open[0]?.text()).toContain('Reference');
  await open[1]?.body?.cancel();
  await expect.poll(() => open.length).toBe(4);
  for (let next = 2; next < asked.length; next += 1) {
    await expect.poll(() => open.length).toBeGreaterThan(next);
    expect(await open[next]?.text()).toContain('Reference');
  }
  expect((await copy()).status).toBe(200);
});

test('A HEAD request for an export does not delay downloads', async () => {
  const head = () => site.admin('/api/contact/submissions.csv', { method: 'HEAD' });
  for (let asked = 0; asked < 12; asked += 1) {
    const answer = await head();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.body).toBeNull();
  }
});
