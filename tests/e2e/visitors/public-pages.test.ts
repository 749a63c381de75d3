import { expect, test } from 'vitest';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { faultsOf } from '../../support/browser/accessibility.ts';
import { answered, signedIn, useAdmin } from '../../support/samples/inbox.ts';
import { aPost } from '../../support/samples/posts.ts';

const { browser, site, session, call } = useAdmin();

test('A link to a service selects the service in the form, before anyone touches the form', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 768, height: 900 } });
  const choice = page.locator('form[data-variant=section] [name=serviceInterest]');
  await page.goto('/services/ecommerce-integrations');
  // A name with a hyphen does not break in a heading, and only the words of a back link are underlined.
  const name = page.getByRole('heading', { name: 'Key Benefits of E-Commerce Integrations' }).locator('span');
  expect(
    await name.evaluate((words) => words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight)),
  ).toBeLessThan(2);
  const arrow = page.getByRole('link', { name: 'Back to Services' });
  expect(await arrow.evaluate((link) => getComputedStyle(link, '::before').display)).toBe('inline-block');
  await page.getByRole('link', { name: 'Contact Us Today' }).click();
  await expect.poll(() => choice.inputValue()).toBe('development');
  // The scripts load five seconds after the page, so the pages are opened together.
  const values = {
    '/contact?service=support': 'support',
    '/contact?service=unknown': '',
    '/contact#project-rescue': 'project-recovery',
  };
  const visit = async ([path, value]: [string, string]) => {
    const contact = await browser.newPage({ baseURL: site.url });
    await contact.goto(path);
    await contact.locator('form[data-variant=section][data-enhanced]').waitFor();
    const chosen = contact.locator('form[data-variant=section] [name=serviceInterest]');
    await expect.poll(() => chosen.inputValue(), { message: path }).toBe(value);
  };
  await Promise.all(Object.entries(values).map(visit));
});

test('The chosen tab is still chosen, at the same place, after Back loads the home page again, whatever its hash', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto('/#%');
  await page.locator('#tab-support').click();
  await page.locator('#services-support').waitFor();
  await page.locator('.explorer[data-live]').waitFor();
  const link = page.locator('#services-support').getByRole('link', { name: 'Learn more' });
  await link.scrollIntoViewIfNeeded();
  const top = await page.evaluate(() => scrollY);
  await link.click();
  await page.waitForURL('**/services/support');
  await page.goBack();
  await page.locator('.explorer[data-live] #tab-support[aria-selected=true]').waitFor();
  expect(await page.locator('#services-support').isVisible()).toBe(true);
  await page.locator('html[data-loaded]').waitFor();
  await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - top)).toBeLessThan(100);
});

test('A header link from another page opens the home page at its section', async () => {
  const page = await browser.newPage({ baseURL: site.url, reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    const tops: number[] = [];
    Object.assign(globalThis, { tops });
    // A section that exists in a frame's callback is painted in this frame, and the task that follows the frame reads
    // where. Without the first condition, the task would also read a section that was parsed after the paint.
    const note = () => {
      const section = document.querySelector('#services');
      setTimeout(() => {
        if (section && tops.length < 200) tops.push(section.getBoundingClientRect().top);
        requestAnimationFrame(note);
      });
    };
    requestAnimationFrame(note);
  });
  await page.goto('/terms');
  await page.locator('header').getByRole('link', { name: 'Services' }).click();
  await page.waitForURL('**/#services');
  await page.locator('html[data-loaded]').waitFor();
  const tops = () => page.evaluate(() => (globalThis as unknown as { tops: number[] }).tops);
  await expect.poll(async () => (await tops()).length).toBeGreaterThan(10);
  expect((await tops()).filter((top) => Math.abs(top - 72) > 200)).toEqual([]);
  const top = () => page.locator('#services').evaluate((section) => section.getBoundingClientRect().top);
  await expect.poll(top).toBeCloseTo(72, 0);
});

const guide = '/resources/netsuite-mcp-guide';

test('Without scripts, the list leads to the sections, and no control is shown that would not work', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone', javaScriptEnabled: false });
  await page.goto(guide);
  await page.getByText('On this page').click();
  await page.locator('.on-this-page').getByRole('link', { name: 'Security practices' }).click();
  const place = () => page.locator('#security-practices').evaluate((heading) => heading.getBoundingClientRect().y);
  await expect.poll(place).toBeLessThan(200);
  expect(await page.locator('.code button').count()).toBe(0);
  expect(await page.locator('.transcript').getAttribute('open')).not.toBeNull();
});

test('The next article opens at the top; on a narrow screen, a table scrolls, also by keyboard, and no word of code is in pieces on any screen', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 320, height: 800 } });
  await page.goto('/resources/netsuite-roi-guide');
  await page.locator('a[rel=next]').click();
  await page.waitForURL('**/resources/netsuite-integration-strategy');
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const table = page.locator('.table-scroll').first();
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeGreaterThan(0);
  await table.focus();
  expect(await table.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.goto(guide);
  const codes = page.locator('td code').filter({ hasText: /^\S+$/ });
  expect(await codes.count()).toBeGreaterThan(0);
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = codes.evaluateAll((all) => Math.max(...all.map((code) => code.getClientRects().length)));
    expect(await lines, `at ${width} px`).toBe(1);
  }
});

test('At every width, the rows of the drawing on the home page are as high as the green stripes behind them', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  for (const width of [360, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const drawing = (await page.locator('.reconciliation').boundingBox())!;
    expect(drawing.width / drawing.height, `${width} px`).toBeCloseTo(440 / 560, 2);
  }
});

test('The numbers in the margin are at the height of their first line, and large letters on a phone stay together in words', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['/', '/contact']) {
      await page.goto(path);
      const distances = await page.locator(':is(#stats, #contact) .line').evaluateAll((lines) =>
        lines.map((line) => {
          const { top, lineHeight } = getComputedStyle(line, '::before');
          const text = new Range();
          text.selectNodeContents(line);
          const { y, height } = text.getClientRects()[0]!;
          const number = line.getBoundingClientRect().y + line.clientTop + parseFloat(top) + parseFloat(lineHeight) / 2;
          return Math.abs(number - (y + height / 2));
        }),
      );
      expect(Math.max(...distances), `${path} at ${width} px`).toBeLessThan(3);
    }
  }
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto('/');
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const lines = await page.locator('#stats li span, #contact dd').evaluateAll((texts) =>
    texts.map((text) => {
      const range = new Range();
      range.selectNodeContents(text);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8))).size;
    }),
  );
  expect(Math.max(...lines)).toBeLessThanOrEqual(4);
});

test('The phone number is above the form of the contact page on a phone, and the address breaks after the street', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
  await page.goto('/contact');
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())!.y;
  expect(await top('main a[href^=tel]')).toBeLessThan(await top('main form'));
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const lines = await page.locator('dd', { hasText: 'Boulevard' }).evaluate(({ firstChild: address }) => {
      const street = new Range();
      street.setStart(address!, 0);
      street.setEnd(address!, address!.textContent!.indexOf(','));
      return street.getClientRects().length;
    });
    expect(lines, `at ${width} px`).toBe(1);
  }
});

test('No title breaks inside a word, and the excerpt of a post without a picture is above its link', async () => {
  const [title, excerpt] = ['Why landed cost is late at month-end', 'What has to be true on day one.'];
  await call('/api/cms/blog-posts', 'POST', aPost({ title, excerpt, slug: 'month-end', status: 'published' }));
  const page = await browser.newPage({ baseURL: site.url });
  for (const path of ['/search', '/resources', '/resources/netsuite-support-guide', '/blog']) {
    await page.goto(path);
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(brokenWords), `${path} at ${width} px`).toEqual([]);
    }
  }
  const top = async (text: string) => (await page.getByText(text).boundingBox())!.y;
  expect(await top(excerpt)).toBeLessThan(await top('Read More'));
});

/** Lists the words with a hyphen that begin on one line of a title and end on another. */
function brokenWords(): string[] {
  const broken: string[] = [];
  for (const title of document.querySelectorAll('main :is(h1, h2, li > a, a > strong)')) {
    const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      for (const { 0: word, index } of node.data.matchAll(/\w+-\w+/g)) {
        const range = new Range();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
    }
  }
  return broken;
}

test('A video is loaded when a reader plays it, and not before', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const embed = '/embedded-video';
  let played = 0;
  await page.route(`**${embed}`, (route) => {
    played += 1;
    return route.fulfill({ contentType: 'text/html', body: '<title>Video</title>' });
  });
  // This site has no demo video. Changes the page to what a build with `demoVideo` (src/site.config.ts) generates.
  await page.route(`**${guide}`, async (route) => {
    const response = await route.fetch();
    const facade = `<a class="demo-frame" href="/resources" data-embed="${embed}" data-title="The demo">`;
    const body = (await response.text()).replace(/<div class="demo-frame">([\s\S]*?)<\/div>/, `${facade}$1 Play</a>`);
    const policy = response.headers()['content-security-policy']!.replace("frame-src 'none'", "frame-src 'self'");
    await route.fulfill({ response, body, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
  await page.goto(guide);
  await page.locator('.demo-frame').hover();
  await page.locator('.code button').first().waitFor();
  expect(played).toBe(0);
  await page.locator('.demo-frame').click();
  await page.frameLocator('iframe[title="The demo"]').locator('html').waitFor();
  expect(played).toBe(1);
  expect(new URL(page.url()).pathname).toBe(guide);
  const { width, height } = (await page.locator('.demo iframe').boundingBox())!;
  expect(width / height).toBeCloseTo(16 / 9, 1);
});

test('Search words in the URL are searched immediately; an index that failed is loaded again, and the words stay', async () => {
  const page = await browser.newPage({
    baseURL: site.url,
    expected: ['503'],
    device: 'phone',
    colorScheme: 'dark',
  });
  await page.route('**/search.json', (route) => route.fulfill({ status: 503 }), { times: 1 });
  const words = '<b>saved</b> searches';
  await page.goto(`/search?${new URLSearchParams({ q: words })}`);
  await page.getByText('We couldn’t load the search.').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe(words);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .locator('main ol mark', { hasText: /^saved$/i })
    .first()
    .waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const status = await page.getByRole('status').textContent();
  expect(status).toContain(`for “${words}”`);
  expect(await page.locator('main ol > li:has(a)').count()).toBe(Number(/\d+/.exec(status ?? '')?.[0]));

  await page.locator('.cookie-banner').waitFor();
  await page.getByRole('searchbox').press('Escape');
  expect(await page.evaluate(() => localStorage.getItem('cookies-accepted'))).toBeNull();

  await page.getByRole('searchbox').fill('xylophone');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

test('A visitor’s browser gets a saved text with the page; a page as built for Netlify requests it after the first frame', async () => {
  const saved = 'There from the first frame';
  await call(apiPaths.section('hero_title'), 'PUT', { title: saved });
  await expect.poll(async () => (await fetch(site.url)).text()).toContain(saved);
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(503)] });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const shows = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.goto('/');
  await shows(saved);
  // The first move of the mouse loads the page's other scripts.
  await page.mouse.move(200, 200, { steps: 2 });
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

test('An admin sees a draft as on the public page, without its scripts, and creates a link for a colleague', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(404)] });
  const content = `<h2>First</h2><script>document.title = 'stolen'</script><img src="/nowhere.png" alt="A missing ledger" onerror="document.title='stolen'">`;
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
  const colleague = await browser.newPage({ baseURL: site.url, expected: [answered(404)] });
  await colleague.goto(page.url());
  await colleague.getByRole('heading', { level: 1, name: 'Half done' }).waitFor();
  // The URL opens the draft, so it is not sent to the analytics service.
  const accept = colleague.getByRole('button', { name: 'Accept All Cookies' });
  await accept.click();
  await accept.waitFor({ state: 'hidden' });
  expect(await colleague.evaluate(() => '_hsq' in globalThis)).toBe(false);
});
