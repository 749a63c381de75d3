import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../../tests/support/browser.ts';
import { bundle } from '../../../tests/support/bundle.ts';
import type { refreshSections } from './refresh.ts';

declare global {
  interface Window {
    refreshSections: typeof refreshSections;
    touched: string[];
  }
}

const browser = useBrowser();
let server: Server;
let baseURL: string;
let answer: string;
const asked: string[] = [];

const page = `<!doctype html><html lang="en"><title>Home</title><link rel="icon" href="data:,">
  <h1 data-section="hero_title">Built   title</h1>
  <p data-section="hero_subtitle">Built <b>subtitle</b></p>
  <p data-section="stats_projects">100+</p>
  <p data-section="stats_projects" data-section-part="content">NetSuite Projects</p>
  <p data-section="about_title">About</p></html>`;

beforeAll(async () => {
  const script = await bundle(
    "import { refreshSections } from '/src/lib/live/refresh.ts'; window.refreshSections = refreshSections;",
  );
  server = createServer((request, response) => {
    const path = request.url ?? '';
    if (!path.startsWith('/api/')) {
      const isScript = path === '/lib.js';
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      return void response.end(isScript ? script : page);
    }
    asked.push(path);
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked.length = 0;
});

/** Refreshes the page's sections and returns the texts, and the keys of the changed elements. */
async function refreshed(): Promise<{ texts: string[]; touched: string[] }> {
  const opened = await browser.newPage({ baseURL });
  await opened.goto('/');
  await opened.addScriptTag({ url: '/lib.js', type: 'module' });
  return opened.evaluate(async () => {
    const touched: string[] = [];
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) touched.push((target as HTMLElement).dataset['section'] ?? '');
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    await window.refreshSections();
    for (const { target } of observer.takeRecords()) touched.push((target as HTMLElement).dataset['section'] ?? '');
    return { texts: [...document.querySelectorAll('[data-section]')].map((place) => place.innerHTML), touched };
  });
}

const answerWith = (data: unknown) => {
  answer = JSON.stringify({ data });
};

test('changed texts are replaced as plain text, all of them with one request', async () => {
  answerWith({
    hero_title: { title: 'New & <script>better</script>', content: '' },
    hero_subtitle: { title: 'Built subtitle', content: 'x' },
    stats_projects: { title: '140+', content: 'Projects' },
    about_title: { title: 'About', content: '' },
  });
  const { texts, touched } = await refreshed();
  expect(texts).toEqual([
    'New &amp; &lt;script&gt;better&lt;/script&gt;',
    'Built <b>subtitle</b>',
    '140+',
    'Projects',
    'About',
  ]);
  expect(new Set(touched)).toEqual(new Set(['hero_title', 'stats_projects']));
  expect(asked).toEqual(['/api/cms/content/published']);
});

test('texts that are unchanged, or missing from the response, stay the same', async () => {
  answerWith({ hero_title: { title: 'Built title' }, stats_projects: { content: 7 } });
  expect((await refreshed()).touched).toEqual([]);
});

test('a response that is not JSON, or contains no sections, changes nothing', async () => {
  for (answer of ['<p>not JSON', 'null', '{}', '{"data":null}', '{"data":[1]}']) {
    expect((await refreshed()).touched).toEqual([]);
  }
});

test('an error changes nothing and shows no message', async () => {
  const opened = await browser.newPage({ baseURL, expected: ['ERR_INTERNET_DISCONNECTED'] });
  await opened.goto('/');
  await opened.addScriptTag({ url: '/lib.js', type: 'module' });
  await opened.context().setOffline(true);
  await opened.evaluate(() => window.refreshSections());
  expect(await opened.locator('h1').textContent()).toBe('Built   title');
});
