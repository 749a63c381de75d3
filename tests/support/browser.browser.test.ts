import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedOf, useBrowser } from './browser.ts';

const browser = useBrowser();
let server: Server;
let baseURL: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/cut') return void request.socket.destroy();
    const found = request.url === '/';
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Page</title><p>Text</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('errors in a page are detected, unless they are expected', async () => {
  const page = await browser.newPage({ baseURL, expected: ['favicon'] });
  await page.goto('/');
  await page.evaluate(async () => {
    console.warn('a warning');
    console.error('an error');
    console.log('a remark');
    setTimeout(() => {
      throw new Error('a throw');
    });
    await fetch('/missing');
    await fetch('/cut').catch(() => undefined);
  });
  const problems = browser.problemsOf(page);
  for (const noticed of [
    /^console warning: a warning/,
    /^console error: an error/,
    /^page error: Error: a throw/,
    /^console error: .*status of 404.*missing/,
    /^request failed: GET .*\/cut net::/,
  ]) {
    expect(problems).toContainEqual(expect.stringMatching(noticed));
  }
  expect(problems).not.toContainEqual(expect.stringContaining('a remark'));
  expect(unexpectedOf({ problems: ['console error: a (b)', 'page error: c'], expected: ['a (b)'] })).toEqual([
    'page error: c',
  ]);
  browser.expectProblem(page, 'a warning', 'an error', /a throw/, '404', '/cut');
});

test('a phone has a touch screen, a narrow viewport, and the requested color scheme', async () => {
  const page = await browser.newPage({
    baseURL,
    device: 'phone',
    colorScheme: 'dark',
    reducedMotion: true,
    expected: ['favicon'],
  });
  await page.goto('/');
  const seen = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    touch: navigator.maxTouchPoints > 0,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }));
  expect(seen).toEqual({ width: 980, touch: true, dark: true, still: true });
});

test('a page can have scripts disabled or no network', async () => {
  const plain = await browser.newPage({ baseURL, scripts: false, expected: ['favicon'] });
  await plain.goto('/');
  expect(await plain.locator('p').textContent()).toBe('Text');
  const offline = await browser.newPage({ baseURL, offline: true });
  await expect(offline.goto('/')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  browser.expectProblem(offline, 'ERR_INTERNET_DISCONNECTED');
});
