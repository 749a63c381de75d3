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
let sections: Record<string, unknown>;
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
    const key = path.replace('/api/cms/content/', '');
    if (key === path) {
      const isScript = path === '/lib.js';
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      return void response.end(isScript ? script : page);
    }
    asked.push(key);
    if (key === 'about_title') return void response.writeHead(200).end('<p>not JSON');
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: sections[key] ?? null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked.length = 0;
});

/** Refreshes the page and returns its texts, and which of them were touched. */
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

test('texts that changed are replaced as text, each key asked for once', async () => {
  sections = {
    hero_title: { title: '<p>New &amp; <script>better</script></p>', content: '' },
    stats_projects: { title: '140+', content: 'Projects' },
  };
  const { texts, touched } = await refreshed();
  expect(texts).toEqual(['New &amp; better', 'Built <b>subtitle</b>', '140+', 'Projects', 'About']);
  expect(new Set(touched)).toEqual(new Set(['hero_title', 'stats_projects']));
  expect(asked.toSorted()).toEqual(['about_title', 'hero_subtitle', 'hero_title', 'stats_projects']);
});

test('texts that are the same, empty or missing are not touched', async () => {
  sections = {
    hero_title: { title: 'Built title' },
    hero_subtitle: { title: '<em>Built</em> subtitle', content: 'x' },
    stats_projects: { title: '', content: 7 },
  };
  expect((await refreshed()).touched).toEqual([]);
});

test('a failure changes nothing and says nothing', async () => {
  sections = {};
  const opened = await browser.newPage({ baseURL, expected: ['ERR_INTERNET_DISCONNECTED'] });
  await opened.goto('/');
  await opened.addScriptTag({ url: '/lib.js', type: 'module' });
  await opened.context().setOffline(true);
  await opened.evaluate(() => window.refreshSections());
  expect(await opened.locator('h1').textContent()).toBe('Built   title');
});
