import { expect, test } from 'vitest';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { answered, useAdmin } from '../support/inbox.ts';

const { browser, site, call: admin } = useAdmin();

test('A visitor’s browser gets a saved text with the page; a page as built for Netlify requests it after the first frame', async () => {
  const saved = 'There from the first frame';
  await admin(apiPaths.section('hero_title'), 'PUT', { title: saved });
  await expect.poll(async () => (await fetch(site.url)).text()).toContain(saved);
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(503)] });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const shows = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.goto('/');
  await shows(saved);
  // The first move of the mouse loads the page's other scripts.
  await page.mouse.move(200, 200);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.startsWith('/api/cms'))).toEqual([]);

  // Serves the page with the old text, as the build left it. `id="now"` tells scripts that the text may be outdated.
  await page.route('**/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('<html ', '<html id="now" ').replace(saved, 'Old');
    await route.fulfill({ response, body });
  });
  await page.goto('/', { waitUntil: 'commit' });
  await shows(saved);
  expect(asked.filter((path) => path.startsWith('/api/cms'))).toEqual([apiPaths.publishedSections]);

  // Keeps its text after a useless answer, and shows a newer one as plain text.
  for (const [status, body, text] of [
    [503, '{}', 'Old'],
    [200, '<p>not JSON', 'Old'],
    [200, 'null', 'Old'],
    [200, '{"data":{"hero_title":{"title":7}}}', 'Old'],
    [200, '{"data":{"hero_title":{"title":"<b>New</b> & better"}}}', '<b>New</b> & better'],
  ] as const) {
    await page.route(`**${apiPaths.publishedSections}`, (route) => route.fulfill({ status, body }));
    const response = page.waitForResponse(`**${apiPaths.publishedSections}`);
    await page.goto('/');
    await (await response).finished();
    await shows(text);
  }
});
