import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { answered, inbox, inboxPath, send, signedIn, startSession, visitInbox } from '../support/inbox.ts';
import { type PostsApi, posts, postsApi, visitPosts, write } from '../support/post-editor.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
// Confirming the password ends the current session, so each test uses a new session.
let session: Awaited<ReturnType<typeof startSession>>;
let api: PostsApi;
beforeEach(async () => {
  session = await startSession(site);
  api = postsApi(site, session);
});

const open = (options: PageOptions = {}): Promise<Page> =>
  signedIn(browser, site, session, { expected: [answered(403), answered(401)], ...options });
const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' });

describe('An admin who signed in more than ten minutes ago', () => {
  test('confirms with the password by keyboard, and the requested export of the search is downloaded', async () => {
    await send(site, { fullName: 'Exported Person', company: 'Export Only' });
    const page = await open();
    await visitInbox(page, `${inboxPath}&q=export%20only`);
    await site.letSignInsAge();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await confirmation(page).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password');
    expect(await confirmation(page).getByLabel('Email').isVisible()).toBe(false);
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await confirmation(page).getByText('The password is incorrect.').waitFor();
    // The wrong password is selected in the field, so typing replaces it.
    await page.keyboard.type(site.admin.password);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^inquiries-\d{4}-\d{2}-\d{2}\.csv$/);
    const chunks = await (await download.createReadStream()).toArray();
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"Exported Person"');
    await confirmation(page).waitFor({ state: 'detached' });
    // For ten minutes after the confirmation, the site does not ask for the password again.
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  });

  test('keeps an unsaved note after canceling, and erases it with the person’s data', async () => {
    const { id } = await send(site, { fullName: 'Noted Person', email: 'noted@elsewhere.example' });
    const page = await open();
    await visitInbox(page, `${inboxPath}&submission=${id}`);
    const opened = inbox.opened(page, 'Noted Person');
    const note = opened.getByLabel('Private note');
    const stored = async () => (await (await page.request.get(`/api/cms/unsaved/note/${id}`)).json()).data;
    await note.fill('Has a lawyer');
    await opened.getByText(/^Unsaved changes from/).waitFor();
    expect(await stored()).toMatchObject({ text: { note: 'Has a lawyer' } });
    await site.letSignInsAge();
    await page.getByRole('button', { name: 'Erase this person’s data…' }).click();
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await confirmation(page).waitFor();
    await page.keyboard.press('Escape');
    await confirmation(page).waitFor({ state: 'detached' });
    await inbox.notice(page).getByText('Nothing was erased').waitFor();
    expect(await note.inputValue()).toBe('Has a lawyer');
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await confirmation(page).getByLabel('Password', { exact: true }).fill(site.admin.password);
    await confirmation(page).getByRole('button', { name: 'Confirm', exact: true }).click();
    await inbox.notice(page).getByText('Data erased', { exact: true }).waitFor();
    await expect.poll(stored).toBeNull();
  });
});

describe('A link to a draft', () => {
  const shareDialog = (page: Page) => page.getByRole('dialog', { name: 'Share a preview' });

  test('shows the unsaved text to a colleague, and nothing after it is revoked', async () => {
    const post = await api.create({ title: 'Shared early', slug: 'shared-early' });
    const page = await open();
    await visitPosts(page, `/admin?post=${post.id}`);
    await write(posts.text(page), ' Unsaved words.');
    await posts.dialog(page).getByRole('button', { name: 'Share' }).click();
    await shareDialog(page).getByText('This post has no active share link.').waitFor();
    await shareDialog(page).getByRole('button', { name: 'Create link' }).click();
    await inbox.notice(page).getByText('Link created').waitFor();
    const links = shareDialog(page).getByRole('list', { name: 'Active links' }).getByRole('listitem');
    expect(await links.count()).toBe(1);
    expect(await links.first().innerText()).toMatch(/Expires \w{3} \d+, \d{4}/);

    const answer = await page.request.get(`/api/cms/blog-posts/${post.id}/links`);
    const [link] = (await answer.json()).data as { path: string }[];
    const colleague = await browser.newPage({ baseURL: site.url, expected: [answered(404)] });
    await colleague.goto(link?.path ?? '');
    await colleague.getByText('Unsaved words.').waitFor();

    await shareDialog(page).getByRole('button', { name: 'Revoke link 1 of 1' }).click();
    await inbox.notice(page).getByText('Link revoked').waitFor();
    await shareDialog(page).getByText('This post has no active share link.').waitFor();
    // The notice can be used above the editor's dialog, after the front dialog has closed.
    await shareDialog(page).getByRole('button', { name: 'Close' }).first().click();
    await inbox.notice(page).getByRole('button', { name: 'Close' }).click();
    await inbox.notice(page).waitFor({ state: 'detached' });
    expect((await colleague.goto(link?.path ?? ''))?.status()).toBe(404);
  });
});
