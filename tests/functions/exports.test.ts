import { afterEach, beforeEach, expect, test } from 'vitest';
import submissions from '../../netlify/functions/contact-submissions.ts';
import personalData from '../../netlify/functions/personal-data.ts';
import { type TestServices, call, signIn, testServices } from '../support/services.ts';

let site: TestServices;
let headers: { authorization: string };
beforeEach(async () => {
  site = await testServices();
  headers = { authorization: await signIn(site) };
});
afterEach(() => site.close());

const csv = () => call(submissions, '/api/contact/submissions.csv', site.services, { headers });
const copy = () =>
  call(personalData, '/api/contact/personal-data.json?email=ada@example.com', site.services, { headers });

/** Answers that have arrived so far. */
async function arrived(answers: readonly Promise<Response>[]): Promise<Response[]> {
  await new Promise((resolve) => setTimeout(resolve, 200));
  const nothing = Symbol();
  const now = await Promise.all(answers.map((answer) => Promise.race([answer, Promise.resolve(nothing)])));
  return now.filter((answer): answer is Response => answer !== nothing);
}

test('Two exports run at a time, six wait, and the next is told to try again; each that ends lets the next one run', async () => {
  const asked = Array.from({ length: 8 }, csv);
  const open = await arrived(asked);
  expect(open.map(({ status }) => status)).toEqual([200, 200]);

  for (const refused of [await csv(), await copy()]) {
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({
      code: 'unavailable',
      message: 'Too many exports are running. Please try again in a moment.',
    });
  }

  // One is read to its end, the other is given up.
  expect(await open[0]?.text()).toContain('Reference');
  await open[1]?.body?.cancel();
  expect((await arrived(asked)).length).toBe(4);
  for (const answer of asked) expect(await (await answer).text().catch(() => 'read before')).not.toBe('');
  expect((await copy()).status).toBe(200);
});
