import { expect, test } from 'vitest';
import { answered, inbox, send, signIn, signedIn, useSession, visitInbox } from '../support/samples/inbox.ts';
import { useEngine } from '../support/browser/person.ts';
import { useSite } from '../support/host/site.ts';

const { notice, opened, row, rows } = inbox;
const browser = useEngine();
const site = useSite();
const session = useSession(site);

test('An admin opens the link of an email, signs in after a wrong password, sees five tabs and counts, and signs out', async () => {
  const { id } = await send(site, { fullName: 'Link Follower' });
  const page = await browser.newPage({ baseURL: site.url, expected: [answered(401), /401/] });
  await page.goto(`/admin?submission=${id}`);
  await page.waitForURL('**/admin/sign-in?returnTo=*');
  await page.getByRole('button', { name: 'Show password' }).waitFor();
  await page.getByLabel('Email').fill(site.admin.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The email address or password is incorrect.').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(site.admin.email);
  await signIn(site, page);
  await opened(page, 'Link Follower').waitFor();
  await page.waitForURL(`${site.url}/admin?submission=${id}`);
  const specified = ['Blog Posts', 'Media Library', 'Content Editor', 'Contact Submissions', 'Settings'];
  const tabs = await page.getByRole('tab').allTextContents();
  // Later releases may add tabs between these.
  expect(tabs.filter((tab) => specified.includes(tab))).toEqual(specified);
  for (const [index, text] of ['Contact Submissions1', 'Blog Posts0', 'Media Files0', 'Published Posts0'].entries()) {
    const card = page.locator('dl > div:has(> dt + dd:last-child)').nth(index);
    await expect.poll(() => card.textContent()).toBe(text);
  }
  // The website opens beside the admin area, which keeps the admin's work.
  expect(await page.getByRole('link', { name: 'View Website' }).getAttribute('target')).toBe('_blank');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/admin/sign-in');
  await page.goBack();
  await page.waitForURL('**/admin/sign-in?returnTo=*');
  await page.getByRole('button', { name: 'Show password' }).waitFor();
  expect(await page.getByText('Link Follower').count()).toBe(0);
});

test('An admin reads an inquiry, answers it, keeps a note about it, and handles it with keys', async () => {
  const message = 'First line\n\n<b>Third</b> & <script>document.title = "owned"</script>';
  await send(site, { fullName: 'Second Person' });
  const { reference } = await send(site, {
    fullName: 'First Person',
    email: 'first@person.example',
    company: 'Plain & Text',
    message,
  });
  await site.mail.waitFor(({ subject }) => subject === `We received your inquiry (${reference})`);
  const page = await signedIn(browser, site, session);
  await visitInbox(page);
  const first = rows(page).first();
  for (const text of ['First Person', 'Plain & Text', 'Project Recovery', reference]) {
    await first.getByText(text, { exact: true }).waitFor();
  }
  await first.getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/).waitFor();
  const link = first.getByRole('link', { name: 'Reply to First Person by email' });
  const answer = (await link.getAttribute('href')) ?? '';
  const { pathname, searchParams } = new URL(answer);
  expect([pathname, searchParams.get('subject')]).toEqual([
    'first@person.example',
    'Re: NetSuite Consultation Request',
  ]);
  expect(searchParams.get('body')).toContain('> First line\r\n>\r\n> <b>Third</b>');

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = opened(page, 'First Person');
  expect(await panel.getByText(message.replaceAll(/\s+/g, ' '), { exact: true }).innerText()).toBe(message);
  expect(await panel.getByRole('link', { name: 'Reply by email' }).getAttribute('href')).toBe(answer);
  expect(await page.evaluate(() => document.title)).not.toBe('owned');
  await page.keyboard.press('j');
  await opened(page, 'Second Person').waitFor();
  await page.keyboard.press('k');
  await panel.waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'First Person');
  await row(page, 'First Person').click();
  await panel.waitFor();
  await page.goBack();
  await panel.waitFor({ state: 'detached' });

  // Elsewhere than before, because two fast clicks in one place are a double click, which selects a word.
  await row(page, 'First Person').getByText('First Person').click();
  await panel.getByLabel('Private note').fill('Call on Monday');
  await page.keyboard.press('Control+s');
  await panel.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(() => panel.getByLabel('Private note').inputValue()).toBe('Call on Monday');
  // The keys act on the rows of the list, which may arrive after the open inquiry.
  await row(page, 'First Person').waitFor();
  await page.keyboard.press('e');
  await notice(page).getByText('Moved to Handled').hover();
  await row(page, 'First Person').waitFor({ state: 'detached' });
  await opened(page, 'Second Person').waitFor();
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await row(page, 'First Person').waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('plain fir');
  await page.getByText('1–1 of 1').waitFor();
  await row(page, 'First Person').waitFor();
  const search = page.getByRole('searchbox', { name: 'Search inquiries' });
  await search.fill('no such <thing>');
  await page.getByRole('heading', { name: 'No inquiries match “no such <thing>”' }).waitFor();
  await search.fill(reference.toLowerCase().replace('-', ' '));
  await page.getByText('1–1 of 1').waitFor();
  await row(page, 'First Person').waitFor();
  await search.fill('no such <thing>');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await row(page, 'Second Person').waitFor();
});
