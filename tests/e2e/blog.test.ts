import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { site as firm } from '../../src/site.config.ts';
import type { PageOptions } from '../support/browser.ts';
import { answered, signedIn, useAdmin } from '../support/inbox.ts';
import { postsApi } from '../support/post-editor.ts';

const { browser, site, session } = useAdmin();
const api = postsApi(site, session);

const open = async (path: string, options: PageOptions = {}): Promise<Page> => {
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(404)], ...options });
  await page.goto(path);
  return page;
};
const content = `<p>Close <strong>in order</strong>.</p><h2>First</h2><p>Receivables.</p><h2>Then</h2><p>Payables.</p>
  <h2>Last</h2><table><tbody><tr><th>Day</th><td>3</td></tr></tbody></table><pre><code>select 1</code></pre>
  <script>document.title = 'stolen'</script><img src="/nowhere.png" alt="A missing ledger" onerror="document.title='stolen'">`;

test('The blog says that there are no posts yet, then lists published posts in pages of twelve', async () => {
  const page = await open('/blog');
  await page.getByRole('heading', { name: 'No blog posts yet' }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Blog & News');
  expect(await page.getByRole('link', { name: 'Get Started Today' }).getAttribute('href')).toBe('/contact');
  for (let left = 13; left > 0; left -= 1) await api.create({ status: 'published' });
  await page.reload();
  expect(await page.getByRole('main').getByRole('article').count()).toBe(12);
  await page.getByRole('link', { name: 'Older posts' }).click();
  await page.waitForURL('**/blog/page/2');
  expect(await page.title()).toContain('Blog & News, page 2');
  await page.getByRole('link', { name: 'Newer posts' }).click();
  await page.waitForURL('**/blog');
  for (const missing of ['/blog/page/1', '/blog/page/999', '/blog/page/x']) {
    const response = await page.request.get(missing);
    expect([missing, response.status(), response.headers()['cache-control']]).toEqual([
      missing,
      404,
      'private, no-store',
    ]);
  }
});

test('A visitor reads a new post in full, from a list that no script loads, and also without scripts', async () => {
  await api.create({ title: 'Older', slug: 'older', status: 'published' });
  const post = { title: 'Closing the books', slug: 'closing', content, excerpt: 'In five days.', status: 'published' };
  const { publishedAt } = await api.create(post);
  await api.create({ title: 'Newer', slug: 'newer', status: 'published' });
  const page = await open('/robots.txt', { timezoneId: 'Asia/Tokyo' });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto('/blog');
  const link = page.getByRole('link', { name: /^Read More ?: Closing the books$/ });
  await link.waitFor();
  expect(requests).toContain('/blog');
  expect(requests.filter((path) => /^\/api\/|\.js$/.test(path))).toEqual([]);
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Closing the books' }).waitFor();
  const day = new Date(publishedAt!).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: firm.timeZone });
  await page.getByText(day, { exact: true }).waitFor();
  await page.getByText('1 min read').waitFor();
  expect(await page.title()).toBe(`Closing the books | ${firm.name}`);
  expect(await page.getByRole('link', { name: /Previous.*Older/ }).getAttribute('href')).toBe('/blog/older');
  expect(await page.getByRole('link', { name: /Next.*Newer/ }).getAttribute('href')).toBe('/blog/newer');
  await page.getByRole('link', { name: 'Then' }).click();
  expect(new URL(page.url()).hash).toBe('#part-then');
  await page.getByAltText('A missing ledger').scrollIntoViewIfNeeded();
  expect(await page.locator('main script').count()).toBe(0);

  const reader = await open('/blog/closing', { scripts: false });
  await reader.getByText('Receivables.').waitFor();
  await reader.getByRole('link', { name: 'All posts' }).click();
  await reader.getByRole('link', { name: 'Read More : Closing the books' }).waitFor();
});

test('An admin sees a draft as on the public page, without its scripts, and creates a link for a colleague', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(404)] });
  const draft = { title: 'Half done', content, featuredImage: 'nonsense' };
  await page.request.put('/api/cms/unsaved/post/k1', { data: { text: draft }, headers: { origin: site.url } });
  const response = await page.goto('/blog/preview/k1');
  expect(response?.headers()['cache-control']).toBe('private, no-store');
  await page.getByRole('heading', { level: 1, name: 'Half done' }).waitFor();
  await page.getByText('Only admins can see this page.').waitFor();
  expect(await page.title()).not.toBe('stolen');
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex, nofollow');
  expect((await page.goto('/blog/preview/none'))?.status()).toBe(404);
  await page.goto('/blog/preview/k1');
  await page.getByRole('button', { name: 'Create share link' }).click();
  await page.getByText('Anyone with this link can read the post until').waitFor();
  const colleague = await open(page.url());
  await colleague.getByRole('heading', { level: 1, name: 'Half done' }).waitFor();
  // The URL opens the draft, so it is not sent to the analytics service.
  const accept = colleague.getByRole('button', { name: 'Accept All Cookies' });
  await accept.click();
  await accept.waitFor({ state: 'hidden' });
  expect(await colleague.evaluate(() => '_hsq' in globalThis)).toBe(false);
});
