import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import {
  answered,
  inbox,
  inboxPath,
  send,
  signIn,
  signedIn,
  startSession,
  useInbox,
  visitInbox,
} from '../support/inbox.ts';

const { opened, notice, row, rows } = inbox;
const { browser, site, session, openInbox } = useInbox();

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

describe('An admin', () => {
  test('sees the newest inquiry first, with its date, its unchanged text, and its sent emails', async () => {
    const message = 'First line\n\n<b>Third</b> & <script>document.title = "owned"</script>';
    const { reference } = await send(site, { fullName: 'Newest Person', company: 'Plain & Text', message });
    await site.mail.waitFor((mail) => mail.subject === `We received your inquiry (${reference})`);
    const page = await openInbox();
    const first = rows(page).first();
    for (const text of ['Newest Person', 'Plain & Text', 'Project Recovery', 'Emails sent', reference]) {
      await first.getByText(text, { exact: true }).waitFor();
    }
    expect(await first.locator('time').textContent()).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/);
    expect(await first.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);

    await first.click();
    const panel = opened(page, 'Newest Person');
    expect(await panel.locator('.inquiry-message').innerText()).toBe(message);
    const reply = new URL((await panel.getByRole('link', { name: 'Reply by email' }).getAttribute('href')) ?? '');
    expect(reply.protocol + reply.pathname).toBe('mailto:dana@whitfield-foods.example');
    expect(reply.searchParams.get('subject')).toBe('Re: NetSuite Consultation Request');
    expect(reply.searchParams.get('body')).toContain('> First line\r\n>\r\n> <b>Third</b>');
    expect(await page.title()).not.toBe('owned');
  });

  test('replies by email from a row of the list, without opening the inquiry', async () => {
    await send(site, { fullName: 'Row Reply', message: 'Please call me back.\nThank you.' });
    const page = await openInbox();
    const link = rows(page).filter({ hasText: 'Row Reply' }).getByRole('link', { name: 'Reply to Row Reply by email' });
    const address = await link.evaluate((reply: HTMLAnchorElement) => {
      // The click sets the link's URL. This listener prevents the browser from opening an email program.
      reply.addEventListener('click', (event) => event.preventDefault());
      reply.click();
      return reply.href;
    });
    const reply = new URL(address);
    expect(reply.protocol + reply.pathname).toBe('mailto:dana@whitfield-foods.example');
    expect(reply.searchParams.get('subject')).toBe('Re: NetSuite Consultation Request');
    expect(reply.searchParams.get('body')).toContain('> Please call me back.\r\n> Thank you.');
    expect(new URL(page.url()).searchParams.has('submission')).toBe(false);
  });

  test('uses the list with the keyboard only, and the focus returns to the same row', async () => {
    for (const name of ['Third Key', 'Second Key', 'First Key']) await send(site, { fullName: name });
    const page = await openInbox();
    await page.keyboard.press('j');
    expect(await focusedText(page)).toBe('First Key');
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(page)).toBe('Second Key');
    await page.keyboard.press('Enter');
    await opened(page, 'Second Key').waitFor();
    await page.keyboard.press('j');
    await opened(page, 'Third Key').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await opened(page, 'First Key').waitFor();
    await page.keyboard.press('Escape');
    await opened(page, 'First Key').waitFor({ state: 'detached' });
    expect(await focusedText(page)).toBe('First Key');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('j');
    expect(await page.getByRole('searchbox').inputValue()).toBe('j');
  });

  test('opens an inquiry, and the browser’s Back button closes it', async () => {
    await send(site, { fullName: 'Back Button' });
    const page = await openInbox();
    await row(page, 'Back Button').click();
    await opened(page, 'Back Button').waitFor();
    await page.goBack();
    await opened(page, 'Back Button').waitFor({ state: 'detached' });
    await page.goForward();
    await opened(page, 'Back Button').waitFor();
  });

  test('finds an inquiry by its text and by its reference, and gets a message if nothing matches', async () => {
    const { reference } = await send(site, { fullName: 'Zofia Needle', company: 'Haystack Works' });
    await send(site, { fullName: 'Somebody Else' });
    const page = await openInbox();
    const search = page.getByRole('searchbox', { name: 'Search inquiries' });
    for (const words of ['haystack zof', reference.toLowerCase().replace('-', ' ')]) {
      await search.fill(words);
      await page.getByText('1–1 of 1').waitFor();
      expect(await rows(page).count()).toBe(1);
      await row(page, 'Zofia Needle').waitFor();
    }
    await search.fill('no such <thing>');
    await page.getByRole('heading', { name: 'No inquiries match “no such <thing>”.' }).waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await row(page, 'Somebody Else').waitFor();
    expect(await search.inputValue()).toBe('');
  });

  test('turns the pages of a long list, and steps from one page to the next', async () => {
    await Promise.all(
      Array.from({ length: 51 }, (_, index) => send(site, { fullName: `Page ${index}`, company: 'Paging' })),
    );
    const page = await openInbox('/admin?tab=submissions&q=paging');
    await page.getByText('1–50 of more than 50').waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/contact/submissions?*', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('table[aria-busy="true"]').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).innerText()).not.toContain('Updated');
    answer.resolve();
    await page.getByText('51–51 of 51').waitFor();
    await page.keyboard.press('k');
    await page.getByText('1–50 of more than 50').waitFor();
    const last = await rows(page).last().locator('th a').textContent();
    await page.waitForFunction((name) => document.activeElement?.textContent === name, last);
    await page.getByRole('button', { name: 'Newest first' }).click();
    await page.getByRole('button', { name: 'Oldest first' }).waitFor();
  });

  test('releases a submission from quarantine, sees why it was held, and its emails are sent', async () => {
    const { reference } = await send(site, {
      fullName: 'Held Back',
      email: 'held@back.example',
      website: 'filled in by the browser',
    });
    const page = await openInbox();
    await page.getByRole('button', { name: /^Quarantine/ }).click();
    await row(page, 'Held Back').click();
    const panel = opened(page, 'Held Back');
    await panel
      .getByText('An invisible field was filled in. People cannot see it, so the sender was probably a program.')
      .waitFor();
    await panel.getByRole('button', { name: 'Release' }).click();
    await notice(page).getByText('Released to the inbox').waitFor();
    await row(page, 'Held Back').waitFor({ state: 'detached' });
    await site.mail.waitFor((mail) => mail.subject === `We received your inquiry (${reference})`);
    await page.getByRole('button', { name: /^Inbox/ }).click();
    await row(page, 'Held Back').waitFor();
  });

  test('moves an inquiry to quarantine and back', async () => {
    await send(site, { fullName: 'Not A Robot' });
    const page = await openInbox();
    await row(page, 'Not A Robot').click();
    await opened(page, 'Not A Robot').getByRole('button', { name: 'Move to quarantine' }).click();
    await row(page, 'Not A Robot').waitFor({ state: 'detached' });
    await notice(page).getByText('Moved to quarantine').waitFor();
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await notice(page).getByText('Released to the inbox').waitFor();
    await row(page, 'Not A Robot').waitFor();
  });

  test('sees the mail server’s reason for refusing an email, and sends the email again', async () => {
    site.mail.fail('temporary', 2);
    await send(site, { fullName: 'Refused Mail', email: 'refused@mail.example', company: 'Bounce Inc' });
    await expect.poll(() => site.mail.refused.length).toBeGreaterThanOrEqual(2);
    site.mail.fail(null);
    const page = await openInbox();
    await row(page, 'Refused Mail').getByText('Emails retrying').waitFor();
    await row(page, 'Refused Mail').click();
    const panel = opened(page, 'Refused Mail');
    await expect.poll(() => panel.getByText('Last error: ').count()).toBe(2);
    await panel.getByRole('button', { name: 'Send again: Email to the firm' }).click();
    await notice(page).getByText('Message sent', { exact: true }).waitFor();
    await row(page, 'Refused Mail').getByText('To firm: sent').waitFor();
    await site.mail.waitFor((mail) => mail.subject?.includes('Bounce Inc') === true);
  });

  test('continues on the same screen after the session ended, and the interrupted action is completed', async () => {
    await send(site, { fullName: 'Long Lunch' });
    const page = await openInbox(inboxPath, { expected: [answered(401)] });
    await row(page, 'Long Lunch').click();
    await page.context().clearCookies();
    await opened(page, 'Long Lunch').getByRole('button', { name: 'Move to quarantine' }).click();
    const asked = page.getByRole('dialog', { name: 'Sign in again' });
    await asked.getByLabel('Email').waitFor();
    // This site has no OpenID provider.
    expect(await asked.getByText('company account').count()).toBe(0);
    await signIn(site, asked);
    await notice(page).getByText('Moved to quarantine').waitFor();
    await page.getByRole('button', { name: /^Quarantine/ }).click();
    await row(page, 'Long Lunch').waitFor();
  });

  test('gets a message if the site is unreachable, keeps the current list, and tries again', async () => {
    await send(site, { fullName: 'Still Shown' });
    const page = await openInbox(inboxPath, { expected: ['ERR_INTERNET_DISCONNECTED'] });
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('Couldn’t load the inquiries').waitFor();
    await row(page, 'Still Shown').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('downloads the search results as a spreadsheet', async () => {
    await send(site, { fullName: 'Sheet Row', company: 'Export Only' });
    const page = await openInbox('/admin?tab=submissions&q=export%20only');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^inquiries-\d{4}-\d{2}-\d{2}\.csv$/);
    const chunks = await (await download.createReadStream()).toArray();
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"Sheet Row"');
  });

  test('signs out, and the browser’s Back button shows nothing of the inbox', async () => {
    await send(site, { fullName: 'Private Person' });
    const page = await signedIn(browser, site, await startSession(site), { expected: [answered(401)] });
    await page.goto(inboxPath);
    await row(page, 'Private Person').click();
    await opened(page, 'Private Person').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Show password' }).waitFor();
    await page.goBack();
    await page.getByText('Unauthorized').waitFor();
    await page.getByRole('button', { name: 'Show password' }).waitFor();
    expect(await page.getByText('Private Person').count()).toBe(0);
  });
});

describe('An admin with large type or forced colors', () => {
  test.for([320, 360])('sees all counts of a full inbox at %d pixels', async (width) => {
    const page = await signedIn(browser, site, session, { viewport: { width, height: 740 } });
    await page.route('**/api/contact/submissions?*', async (route) => {
      const response = await route.fetch();
      const counts = { inbox: 1234, handled: 4321, quarantine: 9876 };
      await route.fulfill({ response, json: { ...(await response.json()), counts } });
    });
    await visitInbox(page);
    for (const figure of ['1,234', '4,321', '9,876']) await page.getByText(figure, { exact: true }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const boxes = await page.getByRole('group', { name: 'Status' }).getByRole('button').all();
    expect(boxes).toHaveLength(3);
    for (const box of boxes)
      expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });

  test('can distinguish the selected tab and the open row', async () => {
    await send(site, { fullName: 'Closed Row' });
    await send(site, { fullName: 'Open Row' });
    const page = await openInbox(inboxPath, { forcedColors: true });
    await row(page, 'Open Row').click();
    await opened(page, 'Open Row').waitFor();
    const colorOf = (of: Locator, name: 'backgroundColor' | 'borderBottomColor' | 'color') =>
      of.evaluate((element, property) => getComputedStyle(element)[property], name);
    // With forced colors, browsers draw even a transparent border in the color of the text. A tab that is not selected
    // must not get such a border.
    const other = page.getByRole('tab', { name: 'Media Library' });
    expect(await colorOf(other, 'borderBottomColor')).not.toBe(await colorOf(other, 'color'));
    const chosen = await colorOf(page.getByRole('tab', { name: 'Contact Submissions' }), 'backgroundColor');
    expect(chosen).not.toBe(await colorOf(other, 'backgroundColor'));
    expect(await colorOf(row(page, 'Open Row').locator('th'), 'backgroundColor')).toBe(chosen);
    expect(await colorOf(row(page, 'Closed Row').locator('th'), 'backgroundColor')).not.toBe(chosen);
  });
});

describe('An admin on a phone', () => {
  test('reads and steps through inquiries on a full screen, with nothing too wide or too small', async () => {
    await send(site, { fullName: 'Second On Phone' });
    await send(site, { fullName: 'First On Phone', message: `${'w'.repeat(400)} and words` });
    const page = await openInbox(inboxPath, { device: 'phone' });
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    const tooSmall = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main button, main a:not(tr a), dialog button, dialog a, header :is(a, button)')]
          .filter((element) => element.checkVisibility())
          .map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
          .map(({ name }) => name),
      );
    expect(await tooWide()).toBe(false);
    expect(await tooSmall()).toEqual([]);
    await row(page, 'First On Phone').tap();
    const dialog = page.getByRole('dialog', { name: 'First On Phone' });
    await dialog.waitFor();
    expect((await dialog.boundingBox())?.width).toBe(360);
    expect(await tooWide()).toBe(false);
    expect(await tooSmall()).toEqual([]);
    await dialog.getByRole('button', { name: 'Next inquiry' }).tap();
    await page.getByRole('dialog', { name: 'Second On Phone' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
