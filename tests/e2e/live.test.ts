import { expect, test } from 'vitest';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { useBrowser } from '../support/browser.ts';
import { adminCall, answered, useSession } from '../support/inbox.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const session = useSession(site);

const admin = adminCall(site, session);
const html = async (path: string) => (await fetch(site.url + path)).text();

test('A visitor’s browser gets a saved text with the page; a page as built for Netlify requests it after the first frame', async () => {
  await admin(apiPaths.section('hero_title'), 'PUT', { title: 'There from the first frame' });
  await expect.poll(() => html('/')).toContain('There from the first frame');
  const page = await browser.newPage({ baseURL: site.url });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const heading = page.getByRole('heading', { level: 1, name: 'There from the first frame' });
  await page.goto('/');
  await heading.waitFor();
  // The first move of the mouse loads the page's other scripts.
  await page.mouse.move(200, 200);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.startsWith('/api/cms'))).toEqual([]);

  // Serves the page with the old text, as the build left it. `id="now"` tells scripts that the text may be outdated.
  await page.route('**/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace('<html ', '<html id="now" ')
      .replace('There from the first frame', 'Old');
    await route.fulfill({ response, body });
  });
  await page.goto('/', { waitUntil: 'commit' });
  await heading.waitFor();
  expect(asked.filter((path) => path.startsWith('/api/cms'))).toEqual([apiPaths.publishedSections]);
});

test('A page as built for Netlify keeps its text after a useless answer, and shows a newer one as plain text', async () => {
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(503)] });
  await page.route('**/', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('<html ', '<html id="now" ') });
  });
  const built = 'There from the first frame';
  for (const [status, body, text] of [
    [503, '{}', built],
    [200, '<p>not JSON', built],
    [200, 'null', built],
    [200, '{"data":{"hero_title":{"title":7}}}', built],
    [200, '{"data":{"hero_title":{"title":"<b>New</b> & better"}}}', '<b>New</b> & better'],
  ] as const) {
    await page.route(`**${apiPaths.publishedSections}`, (route) => route.fulfill({ status, body }));
    const response = page.waitForResponse(`**${apiPaths.publishedSections}`);
    await page.goto('/');
    await (await response).finished();
    await page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
  }
});
