import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();

test('an unknown service id returns 404 with a link back, and a longer path gets the 404 card', async () => {
  for (const [path, title] of [
    ['/services/nothing', 'Service Not Found'],
    ['/services/implementation/more', '404 Page Not Found'],
    ['/services/nothing/more', '404 Page Not Found'],
  ] as const) {
    const response = await fetch(site.url + path);
    expect(response.status, path).toBe(404);
    expect(await response.text()).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
  }
  for (const path of ['/services', '/services/ecommerce-integrations', '/ecommerce-integrations', '/project-rescue']) {
    expect((await fetch(site.url + path)).status, path).toBe(200);
  }
  const page = await browser.newPage({ baseURL: site.url, expected: [/404/] });
  await page.goto('/services/nothing');
  await page.getByRole('link', { name: 'Back to Services' }).click();
  await page.waitForURL('**/#services');
});

test('a client in an emergency checks the warning signs, and the contact form has the service selected', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.addInitScript(() => localStorage.setItem('cookies-accepted', 'declined'));
  await page.goto('/project-rescue');
  const verdict = page.getByRole('status');
  expect(await verdict.innerText()).toContain('Signs in one or two groups are separate problems.');
  await page.getByLabel('Milestones have moved').check();
  await page.getByLabel('The forecast is').check();
  expect(await verdict.innerText()).toContain('No pattern yet.');
  await page.getByLabel('The answer to every problem is custom code').check();
  await page.getByLabel('Teams keep their own').check();
  expect(await verdict.innerText()).toContain('Your project shows a pattern');
  expect(await verdict.innerText()).not.toContain('No pattern yet');
  await page.getByRole('link', { name: 'Get Emergency Consultation' }).first().click();
  await page.waitForURL('**/contact?service=project-rescue#contact');
  const choice = page.getByLabel('Service of interest');
  await expect.poll(() => choice.inputValue()).toBe('project-recovery');
});

test.each([
  ['/services/ecommerce-integrations', 'Contact Us Today', 'development'],
  ['/services/support', 'Get started today', 'support'],
])('a visitor who comes from %s finds the service selected in the form', async (path, label, value) => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto(path);
  await page.getByRole('link', { name: label }).click();
  await expect.poll(() => page.getByLabel('Service of interest').inputValue()).toBe(value);
});

test('a URL with a service in its hash selects the service before anyone touches the form', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  await page.goto('/contact#project-rescue');
  const choices = page.locator('[name=serviceInterest]');
  await expect
    .poll(() => choices.evaluateAll((fields) => fields.map((field) => (field as HTMLSelectElement).value)))
    .toContain('project-recovery');
});

test('a URL with an invalid hash does not break the page', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto('/#%');
  await page.locator('#tab-support').click();
  await page.locator('#services-support').waitFor();
  expect(errors).toEqual([]);
});

test('a name with a hyphen does not break in a heading, and only the words of a back link are underlined', async () => {
  const page = await browser.newPage({ baseURL: site.url, viewport: { width: 768, height: 900 } });
  await page.goto('/services/ecommerce-integrations');
  const name = page.getByRole('heading', { name: 'Key Benefits of E-Commerce Integrations' }).locator('span');
  expect(
    await name.evaluate((words) => words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight)),
  ).toBeLessThan(2);
  const arrow = page.getByRole('link', { name: 'Back to Services' });
  expect(await arrow.evaluate((link) => getComputedStyle(link, '::before').display)).toBe('inline-block');
});
