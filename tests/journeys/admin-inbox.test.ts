import { expect, test } from 'vitest';
import { answered, inbox, inboxPath, send, signIn, signedIn, useSession, visitInbox } from '../support/inbox.ts';
import { multipart } from '../support/multipart.ts';
import { useEngine } from '../support/person.ts';
import { anApplication, resumeFile } from '../support/resumes.ts';
import { useSite } from '../support/site.ts';

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
  expect(await page.getByRole('tab').allTextContents()).toEqual([
    'Blog Posts',
    'Media Library',
    'Content Editor',
    'Contact Submissions',
    'Settings',
  ]);
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
  for (const text of ['First Person', 'Plain & Text', 'Project Recovery', 'Emails sent', reference]) {
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

  await row(page, 'First Person').click();
  await panel.getByLabel('Private note').fill('Call on Monday');
  await page.keyboard.press('Control+Enter');
  await panel.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
  await page.reload();
  await expect.poll(() => panel.getByLabel('Private note').inputValue()).toBe('Call on Monday');
  // The keys act on the rows of the list, which may arrive after the open inquiry.
  await row(page, 'First Person').waitFor();
  await page.keyboard.press('e');
  await notice(page).getByText('Moved to Handled').waitFor();
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
  await page.getByRole('heading', { name: 'No inquiries match “no such <thing>”.' }).waitFor();
  await search.fill(reference.toLowerCase().replace('-', ' '));
  await page.getByText('1–1 of 1').waitFor();
  await row(page, 'First Person').waitFor();
  await search.fill('no such <thing>');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await row(page, 'Second Person').waitFor();
});

test('An admin releases a held inquiry, whose emails are then sent, and puts another one in quarantine', async () => {
  const held = { fullName: 'Held Back', email: 'held@back.example', website: 'filled in by the browser' };
  const { reference } = await send(site, held);
  await send(site, { fullName: 'Not A Robot' });
  const page = await signedIn(browser, site, session);
  await visitInbox(page);
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

test('An admin on a phone reads an application with its resume, keeps it past its deletion date, and erases the person', async () => {
  for (const fullName of ['Second Quill', 'Mara Quill']) {
    const { body, headers } = await multipart({ ...anApplication({ fullName }), resume: resumeFile() });
    const sent = await fetch(`${site.url}/api/career-application`, { method: 'POST', body, headers });
    expect(sent.status).toBe(201);
  }
  const page = await signedIn(browser, site, session, { device: 'phone' });
  await visitInbox(page, `${inboxPath}&list=applications`);
  const application = page.getByRole('table', { name: 'Applications' }).getByRole('row', { name: /Mara Quill/ });
  await application.click();
  const dialog = page.getByRole('dialog', { name: 'Mara Quill' });
  await dialog.getByText('Mara Quill.pdf').waitFor();
  expect((await dialog.boundingBox()).width).toBe(await page.evaluate(() => innerWidth));
  await dialog.getByRole('button', { name: 'Next application' }).click();
  await page
    .getByRole('dialog', { name: 'Second Quill' })
    .getByRole('button', { name: 'Previous application' })
    .click();
  await dialog.getByText(/^This application and its resume will be deleted on \w{3} \d+, \d{4}/).waitFor();
  await dialog.getByRole('checkbox', { name: 'Keep after deletion date' }).click();
  await application.getByText('Kept', { exact: true }).waitFor();

  await dialog.getByRole('button', { name: 'Erase this person’s data…' }).click();
  const erasing = page.getByRole('dialog', { name: 'Erase a person’s data' });
  await erasing.getByText('Kept after the deletion date').waitFor();
  await erasing.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('checkbox', { name: 'Keep after deletion date' }).click();
  await dialog.getByText('This application and its resume will be deleted on').waitFor();
  await application.getByText('Kept', { exact: true }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Erase this person’s data…' }).click();
  await erasing.getByText('2 applications with their resumes').waitFor();
  await erasing.getByRole('button', { name: 'Erase permanently' }).click();
  await notice(page).getByText('Data erased', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await application.waitFor({ state: 'detached' });
});
