import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { answered, inbox, inboxPath, send, signIn, signedIn, useInbox, visitInbox } from '../support/inbox.ts';

const { opened, notice, row } = inbox;
const { browser, site, session, openInbox } = useInbox();

/**
 * Waits until the server has stored the note, which removes the Discard button. The label of the Save button changes
 * earlier, when the request starts.
 */
const saved = (panel: Locator) =>
  panel.getByRole('button', { name: 'Discard', exact: true }).waitFor({ state: 'detached' });

const noteOf = (page: Page, name: string) => opened(page, name).getByLabel('Private note');

describe('An admin', () => {
  // The first tests, because single emails are sent only for the first 20 inquiries in an hour.
  test('sees the mail server’s reason for refusing an email, and sends the email again', async () => {
    site.mail.fail('temporary');
    await send(site, { fullName: 'Refused Mail', email: 'refused@mail.example', company: 'Bounce Inc' });
    const page = await openInbox();
    // The list shows the emails as they were when it was read.
    const isRetrying = async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return await row(page, 'Refused Mail').getByText('Emails retrying').count();
    };
    await expect.poll(isRetrying).toBe(1);
    site.mail.fail(null);
    await row(page, 'Refused Mail').click();
    const panel = opened(page, 'Refused Mail');
    await expect.poll(() => panel.getByText('Last error: ').count()).toBe(2);
    await panel.getByRole('button', { name: 'Send again: Email to the firm' }).click();
    await notice(page).getByText('Message sent', { exact: true }).waitFor();
    await panel.getByText(/^Email to the firm: sent/).waitFor();
    await site.mail.waitFor((mail) => mail.subject?.includes('Bounce Inc') === true);
  });

  test('releases a held inquiry, whose emails are then sent, and puts another one in quarantine', async () => {
    const held = { fullName: 'Held Back', email: 'held@back.example', website: 'filled in by the browser' };
    const { reference } = await send(site, held);
    await send(site, { fullName: 'Not A Robot' });
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
    await site.mail.waitFor(({ subject }) => subject === `We received your inquiry (${reference})`);
    await page.getByRole('button', { name: /^Inbox/ }).click();
    await row(page, 'Held Back').waitFor();

    await row(page, 'Not A Robot').click();
    await opened(page, 'Not A Robot').getByRole('button', { name: 'Move to quarantine' }).click();
    await row(page, 'Not A Robot').waitFor({ state: 'detached' });
    await notice(page).getByText('Moved to quarantine').waitFor();
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await notice(page).getByText('Released to the inbox').waitFor();
    await row(page, 'Not A Robot').waitFor();
  });

  test('turns the pages of a long list, and each page starts at its first row', async () => {
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
    const table = page.getByRole('table', { name: 'Inquiries' });
    await expect.poll(() => table.getAttribute('aria-busy')).toBe('true');
    expect(await page.getByRole('navigation', { name: 'Pages' }).innerText()).not.toContain('Updated');
    answer.resolve();
    await page.getByText('51–51 of 51').waitFor();
    expect(await page.evaluate(() => document.querySelector('tbody tr')?.checkVisibility())).toBe(true);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('1–50 of more than 50').waitFor();
    await page.getByRole('button', { name: 'Newest first' }).click();
    await page.getByRole('button', { name: 'Oldest first' }).waitFor();
  });

  test('continues on the same screen after a lost connection and an ended session', async () => {
    await send(site, { fullName: 'Long Lunch' });
    const page = await openInbox(inboxPath, { expected: [answered(401), 'ERR_INTERNET_DISCONNECTED'] });
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('Couldn’t load the inquiries').waitFor();
    await row(page, 'Long Lunch').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });

    await row(page, 'Long Lunch').click();
    // Without a connection, a move fails, and the row is back where it was.
    await page.context().setOffline(true);
    await opened(page, 'Long Lunch').getByRole('button', { name: 'Mark as handled' }).click();
    await notice(page).getByText('Couldn’t move Long Lunch’s inquiry').waitFor();
    await row(page, 'Long Lunch').click();
    await page.context().setOffline(false);
    await page.context().clearCookies();
    await opened(page, 'Long Lunch').getByRole('button', { name: 'Move to quarantine' }).click();
    const asked = page.getByRole('dialog', { name: 'Sign in again' });
    await asked.getByLabel('Email').waitFor();
    // This site has no OpenID provider.
    expect(await asked.getByText('company account').count()).toBe(0);
    const answer = (to: string) => page.waitForResponse((response) => response.url().includes(to));
    const [listed, signedInAgain] = [answer('/api/contact/submissions?'), answer('/api/auth/status')];
    await signIn(site, asked);
    // After the sign-in, the page repeats the action that the server refused.
    await notice(page).getByText('Moved to quarantine').waitFor();
    // Without a session, a request that is still under way would also ask the admin to sign in.
    await Promise.all([listed, signedInAgain]);

    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await page.context().clearCookies();
    await page.getByRole('tab', { name: 'Content Editor' }).click();
    await signIn(site, asked);
    await page.getByRole('list', { name: 'Sections' }).waitFor();
    expect(sent.filter((path) => path === '/api/cms/content')).toHaveLength(2);
  });
});

describe('A private note', () => {
  test('that is not saved survives another row, another tab and a reload, and is then saved', async () => {
    await send(site, { fullName: 'Other Row' });
    await send(site, { fullName: 'Noted Person' });
    const page = await openInbox();
    await row(page, 'Noted Person').click();
    await noteOf(page, 'Noted Person').fill('Call on Monday');
    await opened(page, 'Noted Person')
      .getByText(/^Unsaved changes/)
      .waitFor();
    await row(page, 'Other Row').click();
    expect(await noteOf(page, 'Other Row').inputValue()).toBe('');
    await row(page, 'Noted Person').click();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Contact Submissions' }).click();
    await row(page, 'Noted Person').click();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    await page.reload();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');

    const panel = opened(page, 'Noted Person');
    await panel.getByRole('button', { name: 'Save note' }).click();
    await saved(panel);
    await page.reload();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    expect(await panel.getByText('Unsaved changes').count()).toBe(0);
  });

  test('does not replace a note that another admin saved, unless the admin chooses to', async () => {
    await send(site, { fullName: 'Shared Person' });
    const [mine, theirs] = [await openInbox(inboxPath, { expected: [answered(409)] }), await openInbox()];
    for (const page of [mine, theirs]) await row(page, 'Shared Person').click();
    await noteOf(theirs, 'Shared Person').fill('They called.');
    await theirs.keyboard.press('Control+Enter');
    await saved(opened(theirs, 'Shared Person'));
    await noteOf(mine, 'Shared Person').fill('I called.');
    await mine.keyboard.press('Control+Enter');
    const panel = opened(mine, 'Shared Person');
    const choice = mine.getByRole('dialog', { name: 'Someone else changed this note' });
    await choice.getByRole('region', { name: 'Their version, saved' }).getByText('They called.').waitFor();
    await choice.getByRole('button', { name: 'Save your version' }).click();
    await choice.waitFor({ state: 'detached' });
    await saved(panel);
    expect(await noteOf(mine, 'Shared Person').inputValue()).toBe('I called.');
  });
});

describe('An admin with a narrow screen or forced colors', () => {
  test('sees all counts of a full inbox at 320 pixels', async () => {
    const page = await signedIn(browser, site, session, { viewport: { width: 320, height: 740 } });
    await page.route('**/api/contact/submissions?*', async (route) => {
      const response = await route.fetch();
      const counts = { inbox: 1234, handled: 4321, quarantine: 9876 };
      await route.fulfill({ response, json: { ...(await response.json()), counts } });
    });
    await visitInbox(page);
    for (const figure of ['1,234', '4,321', '9,876']) await page.getByText(figure, { exact: true }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const boxes = await page.getByRole('group', { name: 'Status' }).getByRole('button').all();
    expect(boxes).toHaveLength(3);
    for (const box of boxes)
      expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });

  test.each([
    ['a wide', 1280, 768],
    ['a narrow', 768, 1280],
  ])('keeps an open dialog after turning a tablet with %s screen', async (_screen, before, after) => {
    const fullName = `Turned ${before}`;
    await send(site, { fullName });
    const page = await signedIn(browser, site, session, { viewport: { width: before, height: 900 } });
    await visitInbox(page);
    await row(page, fullName).click();
    await page.getByRole('button', { name: 'Erase this person’s data…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase a person’s data' });
    await dialog.getByText('The site has the following data').waitFor();
    await page.setViewportSize({ width: after, height: 900 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 2, name: fullName }).click();
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
    expect(await colorOf(row(page, 'Open Row').getByRole('rowheader'), 'backgroundColor')).toBe(chosen);
    expect(await colorOf(row(page, 'Closed Row').getByRole('rowheader'), 'backgroundColor')).not.toBe(chosen);
  });
});
