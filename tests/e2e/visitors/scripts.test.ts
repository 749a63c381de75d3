import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { hold, useBrowser } from '../../support/browser/browser.ts';
import { applicationForm } from '../../support/samples/application-form.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { inquiryForm } from '../../support/samples/inquiry-form.ts';
import { useSite } from '../../support/host/site.ts';

const hr = 'hr@firm.example';
const browser = useBrowser();
const site = useSite({ HR_EMAIL: hr });

const cookies = [{ name: 'cookies-accepted', value: 'declined' }];

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);

test('A visitor who only reads downloads no scripts, and a reader of an article never downloads React', async () => {
  const page = await browser.newPage({ baseURL: site.url });
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  // The page loads its scripts after five seconds without input. The test turns this off, because it may take longer.
  await page.addInitScript(() => {
    const later = setTimeout;
    globalThis.setTimeout = ((run: () => void, ms = 0) => (ms === 5_000 ? 0 : later(run, ms))) as typeof setTimeout;
  });
  // The mouse rests where the pages appear.
  await page.mouse.move(300, 500);
  for (const path of ['/', '/services/support', '/resources/netsuite-mcp-guide']) {
    await page.goto(path);
    await page.getByRole('region', { name: 'Cookies' }).waitFor();
    expect(scripts).toEqual([]);
  }
  await page.mouse.move(310, 510, { steps: 2 });
  await page.locator('.code button').first().waitFor();
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((url) => /react|client/i.test(url))).toEqual([]);
});

test('A visitor on a phone who presses before the scripts have loaded gets what was pressed', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
  let load = () => {};
  const open = async (path: string) => {
    load = await hold(page, '**/_astro/*.js');
    await page.goto(path);
  };

  await open('/');
  const banner = page.getByRole('region', { name: 'Cookies' });
  await page.getByRole('button', { name: 'Decline', exact: true }).tap();
  load();
  await banner.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => localStorage.getItem('cookies-accepted'))).toBe('declined');

  await open('/');
  const tab = page.locator('#tab-implementation');
  await tab.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await tab.tap();
  expect(await focusedId(page)).toBe('tab-implementation');
  load();
  await page.locator('#services-implementation').waitFor();
  expect(await focusedId(page)).toBe('tab-implementation');
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await page.keyboard.press('ArrowDown');
  await page.locator('#services-development').waitFor();
  expect(await focusedId(page)).toBe('tab-development');

  await open('/');
  await tab.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  load();
  await page.locator('#services-support').waitFor();
  expect(await focusedId(page)).toBe('tab-support');

  await open('/');
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('link', { name: 'Join the Team' }).first().waitFor();
  load();
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  await page.locator('[aria-label="Close menu"]:focus').waitFor();

  for (const [path, form, messages] of [
    ['/contact', '[data-variant=section]', ['Name must be at least 2 characters.', 'Please select a service.']],
    ['/join-team', '[data-enhance=career]', ['Please enter your full name.', 'Please upload your resume to continue.']],
  ] as const) {
    await open(path);
    await page.locator(`${form} [type=submit]`).tap();
    load();
    for (const message of messages) await page.locator(form).getByText(message).first().waitFor();
    const required = await page.locator(`${form} [required]`).count();
    expect(await page.locator(`${form} [aria-invalid]`).count()).toBe(required);
  }
});

test('A visitor whose scripts fail to load can pick a service and send an inquiry', async () => {
  const page = await browser.newPage({
    ...{ baseURL: site.url, cookies, device: 'phone' },
    expected: [/_astro/, /ERR_FAILED/, /import/, 'status of 400'],
  });
  await page.route('**/_astro/*.js', (route) => route.abort());
  await page.goto('/');
  await page.locator('#tab-implementation').tap();
  await page.locator('#services-implementation').waitFor();
  expect(await page.locator('.panel:visible').count()).toBe(1);

  await page.goto('/contact');
  const { form, fill, send } = inquiryForm(page);
  await send();
  await form.locator('[name=fullName]:focus').waitFor();
  await fill(anInquiry({ company: 'Lost Scripts', message: '   short   ' }));
  await send();
  await page.getByText('Message must be at least 10 characters.').first().waitFor();
});

const newPage = () =>
  browser.newPage({ baseURL: site.url, device: 'phone', javaScriptEnabled: false, expected: ['400'] });
const emailTo = (address: string, words: string) =>
  site.mail.waitFor(({ envelope, subject }) => envelope.to.includes(address) && (subject ?? '').includes(words));

test('A visitor without scripts picks a service, and reads a process and the privacy policy', async () => {
  const page = await newPage();
  await page.goto('/');
  await page.locator('#tab-development').click();
  await page.getByText('View E-Commerce Integration Solutions').waitFor();
  expect(await page.locator('.panel:visible').count()).toBe(1);
  await page.getByRole('button', { name: 'Start Transformation' }).click();
  await page.locator('#floating-fullName').waitFor();
  await page.locator('#contact-panel').getByRole('button', { name: 'Close' }).click();
  await page.locator('#floating-fullName').waitFor({ state: 'hidden' });
  await page.goto('/services/implementation');
  await page.getByRole('heading', { name: 'Hypercare' }).waitFor();
  expect(await page.locator('.timeline ol > li').count()).toBe(7);
  expect(await page.locator('.timeline').getByRole('button').count()).toBe(0);
  await page.goto('/privacy');
  await page.locator('noscript p').waitFor();
});

test('A person without scripts reads on each page of the admin area that needs them what to do', async () => {
  // Without scripts, the browser refuses the modules that the pages preload.
  const page = await browser.newPage({ baseURL: site.url, javaScriptEnabled: false, expected: [/\/_astro\/.* csp$/] });
  for (const path of ['/admin', '/admin/settings', '/admin/set-up']) {
    await page.goto(path);
    await page.getByText(/urn on JavaScript in your browser/).waitFor();
    expect(await page.locator('.skeleton:visible').count()).toBe(0);
  }
});

test('A visitor without scripts corrects an inquiry, and reads its reference', async () => {
  const page = await newPage();
  await page.goto('/contact');
  const { field, fill, send } = inquiryForm(page);
  const fullName = '<i>Dana</i> & "Co"';
  await fill(anInquiry({ company: 'Scriptless Ltd', message: '   short   ', fullName }));
  await send();
  await page.getByText('Message must be at least 10 characters.').first().waitFor();
  expect(await field('fullName').inputValue()).toBe(fullName);
  expect(await field('serviceInterest').inputValue()).toBe('project-recovery');
  await field('message').fill('Now it is long enough.');
  await send();
  await page.waitForURL('**/contact/sent?reference=*');
  const reference = new URL(page.url()).searchParams.get('reference')!;
  await page.getByText(reference).waitFor();
  expect((await emailTo(site.firmAddress, 'Scriptless Ltd')).subject).toContain(reference);
});

test('A visitor without scripts corrects an application, chooses the resume again, and reads its reference', async () => {
  const page = await newPage();
  await page.goto('/join-team');
  const { field, fill, choose, send } = applicationForm(page);
  await fill({ fullName: 'Nora Plain', email: 'nora@plain' });
  await choose();
  await send();
  await page.getByText('Nothing has been sent yet. Please check 2 fields:').waitFor();
  await page.getByText('Please enter a valid email address.').waitFor();
  await page.getByText('Please choose your resume again.').waitFor();
  expect(await field('Position (optional)').inputValue()).toBe('NetSuite Developer');
  await field('Email').fill('nora@plain.example');
  await choose();
  await send();
  await page.getByRole('heading', { level: 1, name: 'Application submitted successfully!' }).waitFor();
  const { subject = '' } = await emailTo(hr, 'Nora Plain');
  const receipt = page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}/).last();
  expect(await receipt.textContent()).toContain(subject.split(/[ :]/)[2] ?? '-');
});

test('An admin without scripts signs in after a wrong password, and reaches the requested page', async () => {
  const page = await newPage();
  await page.goto('/admin/sign-in?returnTo=%2Fprivacy');
  const signIn = async (password: string) => {
    await page.getByLabel('Email').fill(site.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signIn('wrong');
  await page.getByText('The email address or password is incorrect.').waitFor();
  await signIn(site.admin.password);
  await page.waitForURL('**/privacy');
});
