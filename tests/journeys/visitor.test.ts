import sharp from 'sharp';
import { expect, test } from 'vitest';
import { uploadLimits } from '../../src/domain/upload.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type Page, type PageOptions, useEngine } from '../support/person.ts';
import { useRelay } from '../support/relay.ts';
import { aPdf } from '../support/files.ts';
import { anApplication } from '../support/resumes.ts';
import { useSite } from '../support/site.ts';

const hr = 'hr@firm.example';
const browser = useEngine();
const site = useSite({ HR_EMAIL: hr });
const relay = useRelay(site);

/** Opens a page as a visitor who answered the cookie banner on an earlier visit. */
const visit = (path: string, options: PageOptions = {}) =>
  newVisitor(path, { cookies: [{ name: 'cookies-accepted', value: 'declined' }], ...options });
const newVisitor = async (path: string, options: PageOptions = {}) => {
  const page = await browser.newPage({ baseURL: site.url, ...options });
  await page.goto(path);
  return page;
};

const lostConnection = [/request failed/, /Failed to load/, /Failed to fetch/, /ERR_/, /NetworkError/];

const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);
const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const headerColor = (page: Page) =>
  page.locator('.site-header').evaluate((header) => getComputedStyle(header).backgroundColor);
/** Matches every color with an alpha of 0, because browser engines write a transparent color in different ways. */
const transparent = /[,/] 0\)$/;
const shownPanels = (page: Page) =>
  page.locator('.panel').evaluateAll((panels) => panels.filter((panel) => panel.checkVisibility()).length);
const notice = (page: Page) => page.locator('[data-toast]');
const emailTo = (address: string, words: string) =>
  site.mail.waitFor(({ envelope, subject }) => envelope.to.includes(address) && (subject ?? '').includes(words));

/** Waits before sending. The site treats a form that is sent within two seconds after opening the page as spam. */
const readAWhile = (page: Page) => page.waitForFunction(() => performance.now() > 2_100);

const inquiryForm = (page: Page, variant: 'section' | 'floating' = 'section') => {
  const form = page.locator(`form[data-variant=${variant}]`);
  const field = (name: string) => form.locator(`[name=${name}]`);
  return {
    form,
    field,
    enhanced: () => page.locator(`form[data-variant=${variant}][data-enhanced]`).waitFor(),
    errorAt: (name: string) => form.locator(`[data-error-for=${name}]`),
    reference: async () => (await form.locator('[data-receipt-reference]').textContent()) ?? '-',
    send: () => form.locator('[type=submit]').click(),
    /** @param changes a field whose value is undefined is not filled in. */
    async fill(changes: Parameters<typeof anInquiry>[0]) {
      const { serviceInterest, ...texts } = anInquiry(changes);
      for (const [name, text] of Object.entries(texts)) if (text) await field(name).fill(text);
      if (serviceInterest) await field('serviceInterest').selectOption(serviceInterest);
    },
  };
};

const applicationForm = (page: Page) => {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    field,
    choose: (bytes = aPdf(), name = 'Mara Quill.pdf') =>
      field('Resume').setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) }),
    send: () => page.getByRole('button', { name: 'Submit Application' }).click(),
    async fill(changes: Parameters<typeof anApplication>[0]) {
      const application = anApplication(changes);
      await field('Full name').fill(application.fullName);
      await field('Email').fill(application.email);
      await field('Phone (optional)').fill(application.phone);
      await field('Position (optional)').selectOption(application.position);
      await field('NetSuite experience (optional)').selectOption(application.experience);
      await field('Cover letter (optional)').fill(application.coverLetter);
    },
  };
};

test('A controller picks a service, reads how it works, and sends an inquiry about it', async () => {
  const page = await visit('/');
  await expect.poll(() => headerColor(page)).toMatch(transparent);
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => headerColor(page)).not.toMatch(transparent);
  const filter = () => page.locator('.site-header').evaluate((header) => getComputedStyle(header).backdropFilter);
  await expect.poll(filter).toBe('blur(12px)');

  await page.locator('#tab-development').click();
  await page.locator('#services-development').waitFor();
  await page.locator('.explorer[data-live]').waitFor();
  for (const [key, id] of [
    ['Home', 'digital-roadmap'],
    ['ArrowDown', 'project-rescue'],
    ['End', 'support'],
    ['ArrowDown', 'digital-roadmap'],
    ['ArrowUp', 'support'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`#services-${id}`).waitFor();
    expect(await focusedId(page)).toBe(`tab-${id}`);
  }
  await page.locator('#tab-implementation').click();
  await page.locator('#services-implementation').waitFor();
  expect(await shownPanels(page)).toBe(1);
  await page.locator('#services-implementation').getByRole('link', { name: 'Learn more' }).click();
  await page.waitForURL('**/services/implementation');

  const timeline = page.locator('.timeline');
  const step = (text: string) => page.locator('.timeline-place').getByText(text).waitFor();
  const button = (name: string) => timeline.getByRole('button', { name, exact: true });
  await timeline.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
  await page.locator('.timeline[data-drawing]').waitFor();
  await button('Pause').click();
  await button('Play').waitFor();
  await page.locator('.step button').nth(3).click();
  await step('Step 4 of 7');
  await page.keyboard.press('ArrowRight');
  await step('Step 5 of 7');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('5');
  await page.keyboard.press('ArrowUp');
  await step('Step 4 of 7');
  await button('Previous').click();
  await step('Step 3 of 7');
  await page.locator('.step button').nth(5).click();
  await button('Next').click();
  await step('Process Complete');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Replay');
  await button('Replay').click();
  await step('Step 1 of 7');
  await step('Step 2 of 7');

  await page.getByRole('link', { name: 'Get started today' }).click();
  await page.waitForURL('**/contact?service=implementation#contact');
  const inquiry = inquiryForm(page);
  await inquiry.enhanced();
  await expect.poll(() => inquiry.field('serviceInterest').inputValue()).toBe('implementation');
  await inquiry.fill({ company: 'Corrected Foods', email: 'dana@whitfield', serviceInterest: '', message: 'short' });
  await readAWhile(page);
  await inquiry.send();
  await inquiry.errorAt('email').getByText('Please enter a valid email address.').waitFor();
  await inquiry.errorAt('message').getByText('Message must be at least 10 characters.').waitFor();
  await inquiry.form.locator('[data-error-summary]').getByRole('link', { name: 'Message' }).click();
  await expect.poll(() => focusedId(page)).toBe('section-message');
  await page.keyboard.type(' no longer');
  await inquiry.errorAt('message').waitFor({ state: 'hidden' });
  await inquiry.field('email').fill('dana@whitfield-foods.example');
  await inquiry.send();
  await notice(page).getByText('Form submitted successfully!').waitFor();
  const reference = await inquiry.reference();
  expect(await inquiry.field('message').inputValue()).toBe('');
  expect((await emailTo(site.firmAddress, 'Corrected Foods')).subject).toContain(reference);
  await emailTo('dana@whitfield-foods.example', `We received your inquiry (${reference})`);
});

test('A visitor on a phone follows a link to a service, uses the menu by keyboard, and lands below the header', async () => {
  const page = await visit('/#services-development', { device: 'phone' });
  const opens = async (id: string) => {
    await page.locator(`#tab-${id}[aria-selected=true]`).waitFor();
    await page.locator(`#services-${id}`).waitFor();
    // A browser may scroll by whole pixels of the screen only.
    await expect.poll(() => topOf(page, '#services').then((top) => Math.abs(top - 80))).toBeLessThanOrEqual(1);
  };
  await opens('development');
  await page.locator('#tab-implementation').click();
  await page.locator('#services-implementation').waitFor();
  await page.evaluate(() => void (location.hash = 'services-support'));
  await opens('support');

  const open = page.getByRole('button', { name: 'Open menu' });
  const link = (name: string) => page.locator('#menu').getByRole('link', { name });
  await open.press('Enter');
  await page.waitForFunction(() => document.querySelector('main')?.inert);
  await expect.poll(() => focusedLabel(page)).toBe('Close menu');
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main, footer'))).toBeFalsy();
  }
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('main')?.inert);
  await expect.poll(() => focusedLabel(page)).toBe('Open menu');

  await page.keyboard.press('Enter');
  // The opened menu takes the focus.
  await expect.poll(() => focusedLabel(page)).toBe('Close menu');
  await link('About').press('Enter');
  await expect.poll(() => topOf(page, '#about')).toBe(64);
  await page.locator('#tab-support[aria-selected=true]').waitFor();
  await page.locator('#menu').waitFor({ state: 'hidden' });
  await open.click();
  await link('Home').click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  expect(new URL(await page.url()).hash).toBe('');
  await expect.poll(() => headerColor(page)).toMatch(transparent);

  // Opening hours with two lines keep their distance from the border above.
  const hours = page.locator('.contact dd').last();
  const gap = await hours.evaluate(
    (part) => part.getBoundingClientRect().top - part.parentElement!.getBoundingClientRect().top,
  );
  expect(gap).toBeGreaterThan(8);
  await page.goto('/contact');
  await open.click();
  await link('Services').click();
  await page.waitForURL('**/#services');
});

test('A visitor declines cookies, later accepts them, and resets the choice', async () => {
  const stored = () => page.evaluate(() => localStorage.getItem('cookies-accepted'));
  const queued = () => page.evaluate(() => (globalThis as { _hsq?: unknown[] })._hsq);
  const page = await newVisitor('/contact');
  const banner = page.getByRole('region', { name: 'Cookies' });
  const answer = (name: string) => page.getByRole('button', { name, exact: true });
  const inquiry = inquiryForm(page);
  const sendInquiry = async (company: string) => {
    await inquiry.fill({ company });
    await inquiry.send();
    await notice(page).getByText('Form submitted successfully!').waitFor();
  };
  await banner.waitFor();
  const [accept, decline] = [await answer('Accept All Cookies').boundingBox(), await answer('Decline').boundingBox()];
  expect([accept.width, accept.height]).toEqual([decline.width, decline.height]);
  await answer('Decline').click();
  await banner.waitFor({ state: 'detached' });
  expect(await stored()).toBe('declined');
  await page.reload();
  await sendInquiry('Untracked Foods');
  expect(await queued()).toBeFalsy();
  await page.waitForFunction(() => performance.now() > 1_500);
  expect(await banner.isVisible()).toBe(false);

  await page.goto('/privacy');
  await answer('Reset Cookie Preferences').click();
  await banner.waitFor();
  expect(await page.cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await answer('Accept All Cookies').click();
  await banner.waitFor({ state: 'detached' });
  expect(await stored()).toBe('true');
  expect(await page.cookies()).toMatchObject([{ name: 'cookies-accepted', value: 'true' }]);
  await expect.poll(queued).toEqual([['setPath', '/privacy'], ['trackPageView']]);
  await page.goto('/contact');
  await expect.poll(queued).toEqual([['setPath', '/contact'], ['trackPageView']]);
  await sendInquiry('Tracked Foods');
  expect((await queued())?.slice(2)).toMatchObject([
    ['identify', { email: anInquiry().email, lastname: 'Whitfield', company: 'Tracked Foods' }],
    ['trackCustomBehavioralEvent', { name: 'contact_form_submission' }],
  ]);

  await page.goto('/privacy-policy#cookie-policy');
  await answer('Reset Cookie Preferences').click();
  await banner.waitFor();
  await page.keyboard.press('Escape');
  await banner.waitFor({ state: 'detached' });
  expect(await stored()).toBe('declined');
});

test('A developer reads a guide, copies code, recovers from a wrong URL, and searches in spite of a typo', async () => {
  const page = await visit('/resources/netsuite-mcp-guide', { expected: [/404/] });
  const marked = page.locator('.on-this-page [aria-current=location]');
  const section = (name: string) =>
    page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name }).click();
  const progress = () => page.locator('.progress').evaluate((bar) => bar.getBoundingClientRect().width / innerWidth);
  await page.mouse.move(400, 400);
  await section('Capabilities');
  await marked.filter({ hasText: 'Capabilities' }).waitFor();
  await expect.poll(progress).toBeGreaterThan(0.05);
  const early = await progress();
  await section('Conclusion');
  await marked.filter({ hasText: 'Conclusion' }).waitFor();
  expect(await marked.count()).toBe(1);
  await expect.poll(progress).toBeGreaterThan(early);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expect.poll(() => marked.count()).toBe(0);

  await page.goto('/resources/suitescript-guide');
  const code = page.locator('.code').first();
  await code.hover();
  await code.getByRole('button').click();
  await expect.poll(() => code.getByRole('button').textContent()).toBe('Copied');
  const lines = (await code.locator('pre').textContent())?.trimEnd();
  expect(lines).toMatch(/^\/\*\*\n \* @NApiVersion 2\.1\n/);
  await page.goto('/contact');
  const { field } = inquiryForm(page);
  await field('message').click();
  await page.keyboard.press('Control+v');
  await expect.poll(() => field('message').inputValue()).toBe(lines);

  await page.goto('/services/nothing');
  await page.getByRole('heading', { name: 'Service Not Found' }).waitFor();
  await page.getByRole('link', { name: 'Back to Services' }).click();
  await page.waitForURL('**/#services');
  await page.goto('/blog');
  await page.getByRole('heading', { name: 'No blog posts yet' }).waitFor();
  await page.goto('/blog/no-such-thing/at-all');
  await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
  await page.getByRole('link', { name: 'All pages' }).click();
  await page.waitForURL('**/sitemap');

  await page.goto('/search');
  const search = page.getByRole('searchbox');
  await search.fill('concurency');
  const results = page.locator('main ol');
  await results.getByRole('link', { name: 'Capabilities' }).waitFor();
  expect(await results.locator('mark').first().textContent()).toMatch(/^concurrency$/i);
  await page.waitForURL('**/search?q=concurency');
  expect(await page.getByRole('status').textContent()).toMatch(/^\d+ results for “concurency”$/);
  await results.getByRole('link', { name: 'Capabilities' }).click();
  await page.waitForURL('**/resources/netsuite-mcp-guide#capabilities');
  await page.goBack();
  await results.getByRole('link', { name: 'Capabilities' }).waitFor();
  expect(await search.inputValue()).toBe('concurency');
});

test('A client in an emergency checks the warning signs, and loses the connection, but no text and no inquiry', async () => {
  const page = await visit('/project-rescue', { baseURL: relay.url, device: 'phone', expected: lostConnection });
  const verdict = page.locator('main').getByRole('status');
  const says = (text: string) => expect.poll(() => verdict.innerText()).toContain(text);
  await says('Signs in one or two groups are separate problems.');
  await page.getByLabel('Milestones have moved').check();
  await page.getByLabel('The forecast is').check();
  await says('No pattern yet.');
  await page.getByLabel('The answer to every problem is custom code').check();
  await page.getByLabel('Teams keep their own').check();
  await says('Your project shows a pattern');
  await page.getByRole('link', { name: 'Get Emergency Consultation' }).first().click();
  await page.waitForURL('**/contact?service=project-rescue#contact');
  const inquiry = inquiryForm(page);
  await expect.poll(() => inquiry.field('serviceInterest').inputValue()).toBe('project-recovery');

  await inquiry.fill({ company: 'Train Wi-Fi' });
  await readAWhile(page);
  relay.cutNext(/^\/api\/contact/);
  await inquiry.send();
  await notice(page).getByText('Submission failed').waitFor();
  expect(relay.passed).not.toContain('POST /api/contact');
  await page.reload();
  await inquiry.enhanced();
  expect(await inquiry.field('company').inputValue()).toBe('Train Wi-Fi');
  relay.cutNext(/^\/api\/contact/, 'after');
  await inquiry.send();
  await notice(page).getByText('Submission failed').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await notice(page).getByText('Form submitted successfully!').waitFor();
  expect((await emailTo(site.firmAddress, 'Train Wi-Fi')).subject).toContain(await inquiry.reference());
  expect(site.mail.messages.filter(({ subject }) => subject?.includes('Train Wi-Fi'))).toHaveLength(1);
});

test('A visitor on a phone sends an inquiry in the contact widget, and the focus returns to its button', async () => {
  const page = await visit('/', { device: 'phone' });
  const panel = page.getByRole('dialog', { name: 'Start Transformation' });
  const button = page.getByRole('button', { name: 'Start Transformation' });
  const open = async () => {
    await button.click();
    await panel.waitFor();
    await page.waitForFunction(() => document.querySelector('#contact-panel')?.contains(document.activeElement));
  };
  const closed = async () => {
    await panel.waitFor({ state: 'hidden' });
    await expect.poll(() => focusedLabel(page)).toBe('Start Transformation');
  };
  await open();
  await page.keyboard.press('Escape');
  await closed();

  await open();
  const inquiry = inquiryForm(page, 'floating');
  await inquiry.enhanced();
  await inquiry.fill({ company: '' });
  await readAWhile(page);
  await inquiry.send();
  await notice(page).getByText('Please fill in all fields').waitFor();
  await inquiry.errorAt('company').getByText('Company name is required.').waitFor();
  await expect.poll(() => focusedId(page)).toBe('floating-company');
  await page.keyboard.type('Panel Works');
  await inquiry.errorAt('company').waitFor({ state: 'hidden' });
  await inquiry.send();
  // The earlier notice may still be fading out.
  const success = notice(page).filter({ hasText: 'Message sent successfully!' });
  await success.waitFor();
  await closed();
  const reference = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await success.textContent()) ?? '')?.[0] ?? '-';
  expect((await emailTo(site.firmAddress, 'Panel Works')).subject).toContain(reference);
});

test('An applicant with a wrong file, then with 4.8 MB and a lost connection, gets a reference', async () => {
  const expected = [...lostConnection, /400/];
  const page = await visit('/join-team', { baseURL: relay.url, device: 'phone', expected });
  const application = applicationForm(page);
  await application.fill({ fullName: 'Ida Quick' });
  await application.choose(aPdf(), 'resume.exe');
  await notice(page).getByText('Invalid file type').waitFor();
  await application.choose(aPdf(uploadLimits.resume + 1));
  await notice(page).getByText('Please upload a file smaller than 5MB.').waitFor();
  await application.send();
  await notice(page).getByText('Resume required').waitFor();
  await application.choose(Buffer.from('MZ this is a program'), 'resume.pdf');
  await page.getByText('resume.pdf').waitFor();
  await application.field('Full name').fill('');
  await application.send();
  await notice(page).getByText('Required fields missing').waitFor();
  await application.field('Full name').fill('Ida Quick');
  await readAWhile(page);
  await application.send();
  await notice(page).getByText('Please upload a PDF, DOC, or DOCX file for your resume.').waitFor();
  await page.getByText('Only PDF and DOC/DOCX files are allowed').waitFor();

  await application.choose(aPdf(4_800_000));
  await page.getByText('Mara Quill.pdf').waitFor();
  expect(await application.field('Full name').inputValue()).toBe('Ida Quick');
  relay.cutNext(/^\/api\/uploads\/[^/]+\/parts\/2$/);
  await application.send();
  await notice(page).getByText('Application submitted successfully!').waitFor();
  const parts = relay.passed.flatMap((line) => /\/parts\/(\d)$/.exec(line)?.[1] ?? []);
  expect(parts).toEqual(['1', '2']);
  const reference = (await page.locator('[data-receipt-reference]').textContent()) ?? '-';
  expect((await emailTo(hr, 'Ida Quick')).subject).toContain(reference);
  expect(await application.field('Full name').inputValue()).toBe('');
});

test('A visitor without scripts picks a service, corrects an inquiry, and applies for a job', async () => {
  const page = await newVisitor('/', { device: 'phone', scripts: false, expected: [/400/] });
  expect(await page.getByText('We use cookies').isVisible()).toBe(false);
  await page.locator('#tab-development').click();
  await page.getByText('View E-Commerce Integration Solutions').waitFor();
  expect(await shownPanels(page)).toBe(1);
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

  await page.goto('/contact');
  const inquiry = inquiryForm(page);
  await inquiry.fill({ company: 'Scriptless Ltd', message: '   short   ', fullName: '<i>Dana</i> & "Co"' });
  await inquiry.send();
  await page.getByText('Message must be at least 10 characters.').first().waitFor();
  expect(await inquiry.field('fullName').inputValue()).toBe('<i>Dana</i> & "Co"');
  expect(await inquiry.field('serviceInterest').inputValue()).toBe('project-recovery');
  await inquiry.field('message').fill('Now it is long enough.');
  await inquiry.send();
  await page.waitForURL('**/contact/sent?reference=*');
  const { searchParams } = new URL(await page.url());
  await page.getByText(searchParams.get('reference')!).waitFor();
  expect((await emailTo(site.firmAddress, 'Scriptless Ltd')).subject).toContain(searchParams.get('reference'));

  await page.goto('/join-team');
  const application = applicationForm(page);
  await application.fill({ fullName: 'Nora Plain', email: 'nora@plain' });
  await application.choose();
  await application.send();
  await page.getByText('Nothing has been sent yet. Please check 2 fields:').waitFor();
  await page.getByText('Please enter a valid email address.').waitFor();
  await page.getByText('Please choose your resume again.').waitFor();
  expect(await application.field('Position (optional)').inputValue()).toBe('NetSuite Developer');
  await application.field('Email').fill('nora@plain.example');
  await application.choose();
  await application.send();
  await page.getByRole('heading', { level: 1, name: 'Application submitted successfully!' }).waitFor();
  const { subject = '' } = await emailTo(hr, 'Nora Plain');
  const receipt = page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}/).last();
  expect(await receipt.textContent()).toContain(subject.split(/[ :]/)[2] ?? '-');
});

test('The double line above a table of contents is two lines in every engine', async () => {
  const page = await visit('/privacy');
  const { x, y } = await page.locator('.legal-contents').boundingBox();
  const column = { left: Math.round(x + 20), top: Math.floor(y) - 2, width: 1, height: 8 };
  const pixels = await sharp(await page.screenshot())
    .extract(column)
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  expect([...pixels].map((light) => (light < 170 ? 'dark' : 'light')).join()).toContain('dark,light,dark');
});
