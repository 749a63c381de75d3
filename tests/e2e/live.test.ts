import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { publishScheduled } from '../../netlify/server/posts/posts.ts';
import { services } from '../../netlify/server/services.ts';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { useBrowser } from '../support/browser.ts';
import { adminCall, answered, signedIn, useSession } from '../support/inbox.ts';
import { aPost } from '../support/posts.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const session = useSession(site);

const admin = adminCall(site, session);
/** Advances the stopped clock of a page until the page shows a text. */
const runClock = async (page: Page, text: string | RegExp) => {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(2_000);
        return await page.getByText(text).count();
      },
      { interval: 20, timeout: 60_000 },
    )
    .toBe(1);
};
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

test('An admin sees when a text is live, and what is wrong until then', { timeout: 120_000 }, async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(503)] });
  await page.goto('/admin?tab=content&section=hero_title');
  await page.getByLabel('Title').fill('Seen by visitors');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Live since .*: Main heading$/).waitFor();
  expect(await html('/')).toContain('Seen by visitors');

  let broken = true;
  await page.route(`${site.url}/`, (route) => (broken ? route.fulfill({ status: 503, body: '' }) : route.continue()));
  await page.clock.install();
  await page.getByRole('link', { name: 'Main heading' }).click();
  await page.getByLabel('Title').fill('Not seen yet');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await runClock(page, 'Saved, but not live yet: Main heading');
  await runClock(page, 'Saved, but not live: Main heading');
  await page.getByText('The Home page (/) returns error 503.').waitFor();
  broken = false;
  await page.getByRole('button', { name: 'Check again' }).click();
  await runClock(page, /^Live since .*: Main heading$/);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.getByText(/^Live since/).count()).toBe(0);
});

test('An admin sees when a post is live, and when it is unpublished', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(404)] });
  const post = await admin('/api/cms/blog-posts', 'POST', aPost({ slug: 'seen', title: 'Seen', status: 'draft' }));
  const setStatus = async (status: string) => {
    await page.goto(`/admin?post=${post.id}`);
    await page.getByRole('dialog').getByLabel('Status').selectOption(status);
    await page.getByRole('button', { name: 'Update Post' }).click();
  };
  await setStatus('Published');
  await page.getByText(/^Live since .*: “Seen”$/).waitFor();
  expect(await html('/blog')).toContain('/blog/seen');
  await setStatus('Draft');
  await page.getByText(/^Off the blog since .*: “Seen”$/).waitFor();
  expect((await fetch(`${site.url}/blog/seen`)).status).toBe(404);
});

test(
  'An admin sees when a scheduled post is live, and what to do if it was not published at its time',
  { timeout: 120_000 },
  async () => {
    const page = await signedIn(browser, site, session);
    const publishAt = new Date(Date.now() + 3_600_000);
    await admin('/api/cms/blog-posts', 'POST', aPost({ slug: 'due', title: 'Due', publishAt }));
    await page.clock.install();
    await page.goto('/admin?tab=blog');
    await page.getByText('Due', { exact: true }).waitFor();
    await page.clock.fastForward(3_600_000);
    await page.getByText('Saved, but not live yet: “Due”').waitFor();
    await page.getByText('The site has not published the post yet. Scheduled posts appear within a minute').waitFor();
    await runClock(page, 'Saved, but not live: “Due”');
    await page.getByText('Look for errors in Settings > Site status.').waitFor();
    // The test runs in the process of the host, so it can publish the post at the page's time.
    await publishScheduled({ ...(await services({} as never)), now: () => publishAt });
    await page.getByRole('button', { name: 'Check again' }).click();
    await runClock(page, /^Live since .*: “Due”$/);
    expect(await html('/blog')).toContain('/blog/due');
  },
);
