import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { inbox, inboxPath, send, useInbox } from '../support/inbox.ts';

const { opened, notice, row } = inbox;
const { browser, site, openInbox } = useInbox();

/** Advances the page's stopped clock until the page shows a notice. */
const untilNotice = (page: Page, words: string) =>
  expect
    .poll(async () => {
      await page.clock.runFor(50);
      return await notice(page).getByText(words, { exact: true }).count();
    })
    .toBe(1);

test('A notice with Undo stays ten seconds, and longer under the pointer, with the focus or in a hidden tab', async () => {
  await send(site, { fullName: 'Second Notice' });
  await send(site, { fullName: 'First Notice' });
  const page = await openInbox();
  await row(page, 'First Notice').click();
  await opened(page, 'First Notice').waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.keyboard.press('e');
  await untilNotice(page, 'Moved to Handled');
  // Screen readers announce a text that appears after its region.
  const early = await notice(page).getByText('Moved to Handled').elementHandle();
  await page.clock.runFor(200);
  expect(await early?.evaluate((line) => line.isConnected)).toBe(false);
  expect(await notice(page).getByRole('status').textContent()).toContain('Moved to Handled');

  await notice(page).getByText('Moved to Handled').hover();
  await page.clock.runFor(60_000);
  await notice(page).getByRole('button', { name: 'Close' }).focus();
  await page.mouse.move(1, 1);
  await page.clock.runFor(60_000);
  expect(await notice(page).count()).toBe(1);
  await page.getByRole('searchbox').focus();
  await page.clock.runFor(10_500);
  expect(await notice(page).count()).toBe(0);

  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await opened(page, 'Second Notice').getByRole('button', { name: 'Move to quarantine' }).click();
  await untilNotice(page, 'Moved to quarantine');
  await setHidden(true);
  await page.clock.runFor(60_000);
  expect(await notice(page).count()).toBe(1);
  await setHidden(false);
  await page.clock.runFor(10_500);
  expect(await notice(page).count()).toBe(0);
});

test('On a phone a notice covers neither the note nor its dialog, and Escape closes only the notice', async () => {
  await send(site, { fullName: 'Phone Notice' });
  const page = await openInbox(inboxPath, { device: 'phone' });
  await row(page, 'Phone Notice').tap();
  const dialog = page.getByRole('dialog', { name: 'Phone Notice' });
  const note = dialog.getByLabel('Private note');
  const discard = async () => {
    await note.fill('Has a lawyer');
    await note.evaluate((field) => field.scrollIntoView({ block: 'end' }));
    await dialog.getByRole('button', { name: 'Discard' }).tap();
    await notice(page).getByRole('button', { name: 'Undo' }).waitFor();
  };
  await discard();
  expect(await notice(page).count()).toBe(1);
  const [above, field] = [await notice(page).boundingBox(), await note.boundingBox()];
  expect(above!.y + above!.height <= field!.y || field!.y + field!.height <= above!.y).toBe(true);
  expect(await notice(page).evaluate((element) => getComputedStyle(element).transitionDuration)).toBe('0s');
  await notice(page).getByRole('button', { name: 'Undo' }).tap();
  await notice(page).waitFor({ state: 'detached' });
  expect(await note.inputValue()).toBe('Has a lawyer');

  for (const key of ['Enter', 'Escape']) {
    await discard();
    await note.focus();
    await notice(page).getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press(key);
    await notice(page).waitFor({ state: 'detached' });
    expect(await note.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  await dialog.getByRole('button', { name: 'Close' }).tap();
  await dialog.waitFor({ state: 'detached' });
});

test('A visitor on a phone sees a notice above the question about cookies', async () => {
  const page = await browser.newPage({ baseURL: site.url, device: 'phone' });
  await page.goto('/contact');
  const form = page.getByRole('main');
  await form.getByLabel('Full name').fill('Ada King Lovelace');
  await form.getByLabel('Email').fill('ada@lovelace.example');
  await form.getByLabel('Company').fill('Analytical Engines');
  await form.getByLabel(/service/i).selectOption('implementation');
  await form.getByLabel('Message').fill('We need help with our ledger.');
  const question = page.getByRole('region', { name: 'Cookies' });
  await question.waitFor();
  await form.getByRole('button', { name: 'Send Inquiry' }).tap();
  await notice(page).getByText('Form submitted successfully!').waitFor();
  const [above, below] = [await notice(page).boundingBox(), await question.boundingBox()];
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
});
