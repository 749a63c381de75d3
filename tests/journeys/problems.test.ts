import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useEngine } from '../support/person.ts';

const browser = useEngine();
const server = createServer((_, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><link rel="icon" href="data:,"><title>Page</title><p>Text</p><button>Press</button>'),
);
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

test('A console message, an error and an unhandled rejection are detected in every engine', async () => {
  const page = await browser.newPage({ baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await page.goto('/');
  await page.getByText('Text').waitFor();
  await page.evaluate(() => {
    document.querySelector('button')!.onclick = () => {
      console.warn('a warning');
      console.error('an error');
      console.log('a remark');
      setTimeout(() => {
        throw new Error('a throw');
      });
      void Promise.reject(new Error('a rejection'));
    };
  });
  await page.getByRole('button').click();
  for (const noticed of [
    /^console warn(ing)?: a warning/,
    /^console error: an error/,
    /^page error.*a throw/s,
    /a rejection/,
  ]) {
    await expect
      .poll(async () => {
        await page.getByText('Text').waitFor();
        return page.problems;
      })
      .toContainEqual(expect.stringMatching(noticed));
  }
  expect(page.problems).not.toContainEqual(expect.stringContaining('a remark'));
  page.expected.push('a warning', 'an error', 'a throw', 'a rejection');
});
