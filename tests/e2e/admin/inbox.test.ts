import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { hold } from '../../support/browser/browser.ts';
import {
  answered,
  delivered,
  inbox,
  inboxPath,
  send,
  signIn,
  startSession,
  useInbox,
  visitInbox,
} from '../../support/samples/inbox.ts';

const { opened, notice, row } = inbox;
const { site, session, call, openInbox } = useInbox();

describe('An admin', () => {
  // The first test, because single emails are sent only for the first 20 inquiries in an hour.
  test('sends an email again after reading why it was refused, releases a held inquiry, and puts another one in quarantine', async () => {
    site.mail.fail('temporary');
    await send(site, { fullName: 'Refused Mail', email: 'refused@mail.example', company: 'Bounce Inc' });
    const held = { fullName: 'Held Back', email: 'held@back.example', website: 'filled in by the browser' };
    const { reference } = await send(site, held);
    await delivered(call, 'refused mail', { firm: 'retrying', sender: 'retrying' });
    site.mail.fail(null);
    const page = await openInbox();
    await row(page, 'Refused Mail').getByText('Retrying').waitFor();
    await row(page, 'Refused Mail').click();
    const refused = opened(page, 'Refused Mail');
    await expect.poll(() => refused.getByText('Last error: ').count()).toBe(2);
    await refused.getByRole('button', { name: 'Send again: Email to the firm' }).click();
    await notice(page).getByText('Email sent', { exact: true }).waitFor();
    await refused.getByText(/^Email to the firm: sent/).waitFor();
    await site.mail.waitFor((mail) => mail.subject?.includes('Bounce Inc') === true);

    await page.getByRole('button', { name: /^Quarantine/ }).click();
    await row(page, 'Held Back').click();
    const panel = opened(page, 'Held Back');
    await panel
      .getByText('An invisible field was filled in. People cannot see it, so the sender was probably a program.')
      .waitFor();
    await panel.getByRole('button', { name: 'Release to inbox' }).click();
    await notice(page).getByText('Released to the inbox').waitFor();
    await row(page, 'Held Back').waitFor({ state: 'detached' });
    await site.mail.waitFor(({ subject }) => subject === `We received your inquiry (${reference})`);
    await page.getByRole('button', { name: /^Inbox/ }).click();
    await row(page, 'Held Back').waitFor();

    await row(page, 'Refused Mail').click();
    await refused.getByRole('button', { name: 'Move to quarantine' }).click();
    await row(page, 'Refused Mail').waitFor({ state: 'detached' });
    await notice(page).getByText('Moved to quarantine').waitFor();
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await notice(page).getByText('Released to the inbox').waitFor();
    await row(page, 'Refused Mail').waitFor();
  });

  test('sees which inquiries are new for them, also if they open inquiries in two tabs or share the browser with a colleague', async () => {
    const page = await openInbox();
    const other = await page.context().newPage();
    await visitInbox(other);
    const colleague = await startSession(site, await site.addAdmin('new@firm.example'));
    const openAs = async ({ cookies }: typeof session) => {
      await page.context().addCookies(cookies);
      await visitInbox(page);
    };
    await openAs(colleague);
    for (const fullName of ['In One Tab', 'In Another Tab']) {
      await send(site, { fullName });
      await delivered(call, fullName, { firm: 'sent' });
    }
    const newRows = (tab: Page) => tab.getByRole('link', { name: /^New: In (One|Another) Tab$/ });
    await openAs(session);
    await other.reload();
    await expect.poll(() => newRows(page).count()).toBe(2);
    // Only messages that were not delivered have a mark.
    expect(await page.getByText('Emails sent').count()).toBe(0);
    await row(page, 'In One Tab').click();
    await opened(page, 'In One Tab').waitFor();
    // A browser shows a change of the storage to another tab a moment later.
    const id = new URL(page.url()).searchParams.get('submission')!;
    await other.waitForFunction((text) => Object.values(localStorage).join().includes(text), id);
    await row(other, 'In Another Tab').click();
    await opened(other, 'In Another Tab').waitFor();
    await visitInbox(page);
    await row(page, 'In One Tab').waitFor();
    await expect.poll(() => newRows(page).count()).toBe(0);
    await openAs(colleague);
    await expect.poll(() => newRows(page).count()).toBe(2);
  });

  test('on a phone sends a message again without a mark on the next inquiry, and saves a note with Ctrl+S', async () => {
    for (const fullName of ['Phone Second', 'Phone First']) await send(site, { fullName });
    await site.mail.waitFor(({ text }) => text?.includes('Phone First') === true);
    const page = await openInbox(inboxPath, { viewport: { width: 390, height: 844 } });
    // The header takes one line.
    expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThan(80);
    await row(page, 'Phone First').click();
    const [first, second] = [opened(page, 'Phone First'), opened(page, 'Phone Second')];
    const answer = await hold(page, '**/resend');
    await first.getByRole('button', { name: /: Email to the firm$/ }).click();
    await first.getByText('Sending…').waitFor();
    await first.getByRole('button', { name: 'Next inquiry' }).click();
    await second.waitFor();
    expect(await second.getByText('Sending…').count()).toBe(0);
    answer();
    // A later notice would replace the notice about the note.
    await notice(page).getByText('Email sent').waitFor();
    await second.getByLabel('Private note').fill('Typed on a phone');
    await page.keyboard.press('Control+s');
    await notice(page).getByText('Note saved').waitFor();
  });

  test('handles two inquiries quickly, and the answer about the first does not bring back the second', async () => {
    for (const fullName of ['Quick Second', 'Quick First']) await send(site, { fullName });
    const page = await openInbox();
    await row(page, 'Quick First').click();
    await opened(page, 'Quick First').waitFor();
    const [second, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let held = 0;
    // The first answer comes while the second request waits.
    await page.route('**/handled', async (route) => {
      held += 1;
      if (held === 2) second.resolve();
      await (held === 1 ? second : answer).promise;
      await route.continue();
    });
    const lists: string[] = [];
    const first = page.waitForResponse('**/handled');
    await page.keyboard.press('e');
    await opened(page, 'Quick Second').waitFor();
    page.on('request', (request) => request.url().includes('/submissions?') && lists.push(request.url()));
    await page.keyboard.press('e');
    await first;
    await notice(page).getByText('Quick First’s inquiry').waitFor();
    await page.evaluate(() => fetch('/api/auth/status'));
    expect([held, lists]).toEqual([2, []]);
    answer.resolve();
    await notice(page).getByText('Quick Second’s inquiry').waitFor();
    await row(page, 'Quick Second').waitFor({ state: 'detached' });
  });

  test('turns the pages of a long list, and each page starts at its first row', async () => {
    await Promise.all(
      Array.from({ length: 51 }, (_, index) => send(site, { fullName: `Page ${index}`, company: 'Paging' })),
    );
    const page = await openInbox('/admin?tab=submissions&q=paging');
    await page.getByText('1–50 of more than 50').waitFor();
    const answer = await hold(page, '**/api/contact/submissions?*');
    await page.getByRole('button', { name: 'Next' }).click();
    const table = page.getByRole('table', { name: 'Inquiries' });
    await expect.poll(() => table.getAttribute('aria-busy')).toBe('true');
    expect(await page.getByRole('navigation', { name: 'Pages' }).innerText()).not.toContain('Updated');
    answer();
    await page.getByText('51–51 of 51').waitFor();
    expect(await page.evaluate(() => document.querySelector('tbody tr')?.checkVisibility())).toBe(true);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('1–50 of more than 50').waitFor();
    await page.getByRole('button', { name: 'Show oldest first' }).click();
    await page.getByRole('button', { name: 'Show newest first' }).waitFor();
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

test('A private note that is not saved survives another row, another tab and a reload; a note that another admin saved is not replaced unless the admin chooses to', async () => {
  await send(site, { fullName: 'Other Row' });
  const { id } = await send(site, { fullName: 'Noted Person' });
  const page = await openInbox(inboxPath, { expected: [answered(409)] });
  const panel = opened(page, 'Noted Person');
  const note = panel.getByLabel('Private note');
  const stored = async () => (await call(`${apiPaths.inquiries.list}?q=noted`))[0].note;
  const reopen = async () => {
    await row(page, 'Noted Person').click();
    await expect.poll(() => note.inputValue()).toBe('Call on Monday');
  };
  await row(page, 'Noted Person').click();
  await note.fill('Call on Monday');
  await panel.getByText(/^Unsaved changes/).waitFor();
  await row(page, 'Other Row').click();
  expect(await opened(page, 'Other Row').getByLabel('Private note').inputValue()).toBe('');
  await reopen();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Contact Submissions' }).click();
  await reopen();
  await page.reload();
  await expect.poll(() => note.inputValue()).toBe('Call on Monday');
  await panel.getByRole('button', { name: 'Save note' }).click();
  // The label of the Save button changes when the request starts. After it, there is nothing to discard.
  const discard = panel.getByRole('button', { name: 'Discard changes', exact: true });
  await discard.waitFor({ state: 'detached' });
  expect(await note.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await stored()).toBe('Call on Monday');

  await note.fill('I called.');
  await call(apiPaths.inquiries.note(id), 'PUT', { note: 'They called.', was: 'Call on Monday' });
  await page.keyboard.press('Control+s');
  const choice = page.getByRole('dialog', { name: 'Someone else changed this note' });
  await choice.getByRole('region', { name: 'Their version, saved' }).getByText('They called.').waitFor();
  await choice.getByRole('button', { name: 'Save your version' }).click();
  await choice.waitFor({ state: 'detached' });
  await discard.waitFor({ state: 'detached' });
  expect(await stored()).toBe('I called.');
});

test('An admin who turns a tablet keeps an open dialog; forced colors show the selected tab and the open row; 320 pixels show all counts', async () => {
  await send(site, { fullName: 'Closed Row' });
  await send(site, { fullName: 'Open Row' });
  const page = await openInbox();
  await row(page, 'Open Row').click();
  await opened(page, 'Open Row').waitFor();
  await page.emulateMedia({ forcedColors: 'active' });
  const colorOf = (of: Locator, name: 'backgroundColor' | 'borderBottomColor' | 'color') =>
    of.evaluate((element, property) => getComputedStyle(element)[property], name);
  // With forced colors, browsers draw even a transparent border in the color of the text. A tab that is not selected
  // must not get such a border.
  const other = page.getByRole('tab', { name: 'Media Library' });
  expect(await colorOf(other, 'borderBottomColor')).not.toBe(await colorOf(other, 'color'));
  const selected = page.getByRole('tab', { name: 'Contact Submissions' });
  const chosen = await colorOf(selected, 'backgroundColor');
  expect(chosen).not.toBe(await colorOf(other, 'backgroundColor'));
  const readable = await page.evaluate(() => {
    const sample = document.body.appendChild(document.createElement('p'));
    sample.style.cssText = 'color: SelectedItemText; background-color: SelectedItem';
    return [getComputedStyle(sample).color, getComputedStyle(sample).backgroundColor];
  });
  expect([await colorOf(selected, 'color'), chosen]).toEqual(readable);
  expect(await colorOf(row(page, 'Open Row').getByRole('rowheader'), 'backgroundColor')).toBe(chosen);
  expect(await colorOf(row(page, 'Closed Row').getByRole('rowheader'), 'backgroundColor')).not.toBe(chosen);
  await page.emulateMedia({ forcedColors: 'none' });

  const resize = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };
  const erasing = page.getByRole('dialog', { name: 'Erase this person’s data?' });
  for (const [before, after] of [
    [1280, 768],
    [768, 1280],
  ] as const) {
    await resize(before);
    await page.getByRole('button', { name: 'Erase this person’s data…' }).click();
    await erasing.getByText('The site has the following data').waitFor();
    await resize(after);
    expect(await erasing.isVisible()).toBe(true);
    await erasing.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 2, name: 'Open Row' }).click();
  }

  await page.keyboard.press('Escape');
  await opened(page, 'Open Row').waitFor({ state: 'detached' });
  await page.route('**/api/contact/submissions?*', async (route) => {
    const response = await route.fetch();
    const counts = { inbox: 1234, handled: 4321, quarantine: 9876 };
    await route.fulfill({ response, json: { ...(await response.json()), counts } });
  });
  await resize(320);
  await page.getByRole('button', { name: 'Refresh' }).click();
  for (const figure of ['1,234', '4,321', '9,876']) await page.getByText(figure, { exact: true }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const boxes = await page.getByRole('group', { name: 'Status' }).getByRole('button').all();
  expect(boxes).toHaveLength(3);
  for (const box of boxes)
    expect(await box.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
});

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
    await dialog.getByRole('button', { name: 'Discard changes' }).tap();
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
