import { beforeAll, describe, expect, test } from 'vitest';
import { aPhotograph } from '../support/files.ts';
import { answered, inbox, send, signIn, signedIn, useSession, visitInbox } from '../support/inbox.ts';
import { posts, postsApi, visitPosts, write } from '../support/post-editor.ts';
import { useEngine } from '../support/person.ts';
import { useSite } from '../support/site.ts';

const { opened, notice, row } = inbox;
const browser = useEngine();
const site = useSite();
const session = useSession(site);
const api = postsApi(site, session);
let photograph: Buffer;
beforeAll(async () => {
  photograph = Buffer.from(await aPhotograph('jpeg'));
});

describe('An admin', () => {
  test('sees that the password is wrong, signs in, and reaches the inquiry that the email links to', async () => {
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
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Show password' }).waitFor();
  });

  test('reads inquiries by keyboard, finds one by its text, and marks it as handled', async () => {
    for (const name of ['Second Key', 'First Key']) await send(site, { fullName: name, company: 'Keyboard Works' });
    const page = await signedIn(browser, site, session);
    await visitInbox(page);
    await row(page, 'First Key').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened(page, 'First Key').waitFor();
    await page.keyboard.press('j');
    await opened(page, 'Second Key').waitFor();
    await page.keyboard.press('Escape');
    await opened(page, 'Second Key').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search inquiries' }).fill('keyboard first');
    await page.getByText('1–1 of 1').waitFor();
    await row(page, 'First Key').click();
    await opened(page, 'First Key').waitFor();
    await page.keyboard.press('e');
    await notice(page).getByText('Moved to Handled').waitFor();
    await row(page, 'First Key').waitFor({ state: 'detached' });
  });

  test('writes a post with the editor and publishes it, and a visitor reads it', async () => {
    const page = await signedIn(browser, site, session);
    await visitPosts(page, '/admin?post=new');
    await posts.dialog(page).getByLabel('Title').fill('Written in every browser');
    expect(await posts.dialog(page).getByLabel('Slug').inputValue()).toBe('written-in-every-browser');
    await posts.dialog(page).getByLabel('Excerpt').fill('One post, three engines.');
    await posts.text(page).click();
    await page.keyboard.press('Control+Alt+2');
    await page.keyboard.type('A heading');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Bold');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' words, then a list:');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await posts.dialog(page).getByLabel('Status').selectOption('published');
    await posts.saveButton(page).click();
    await notice(page).getByText('Blog post created successfully!').waitFor();
    const [stored] = await api.list('every browser');
    expect(stored?.content).toBe(
      '<h2>A heading</h2><p><strong>Bold</strong> words, then a list:</p><ul><li><p>one</p></li><li><p>two</p></li></ul>',
    );
    await page.goto('/blog/written-in-every-browser');
    await page.getByRole('heading', { name: 'A heading' }).waitFor();
  });

  test('loses no typed text after a reload', async () => {
    const post = await api.create({ title: 'Reloaded', slug: 'reloaded' });
    const page = await signedIn(browser, site, session);
    await visitPosts(page, `/admin?post=${post.id}`);
    await write(posts.text(page), ' Then the power went.');
    await posts
      .kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    await page.reload();
    await page.getByText('You have unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    await expect.poll(() => posts.text(page).textContent()).toBe('First words. Then the power went.');
    await posts.saveButton(page).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. Then the power went.</p>');
  });

  test('uploads a picture, and a file in parts, and describes the picture', async () => {
    const page = await signedIn(browser, site, session);
    await page.goto('/admin?tab=media');
    await page.getByRole('heading', { name: 'No files yet' }).waitFor();
    const picker = page.locator('input[type="file"]').first();
    await picker.setInputFiles({ name: 'warehouse.jpg', mimeType: 'image/jpeg', buffer: photograph });
    await notice(page).getByText('File uploaded successfully!').waitFor();
    await page.getByRole('heading', { name: 'warehouse.jpg' }).waitFor();
    await page.getByLabel('Description').fill('The warehouse at night');
    await page.getByRole('button', { name: 'Save description' }).click();
    await notice(page).getByText('Description saved').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await picker.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(9_000_000, 97) });
    await page
      .getByRole('list', { name: 'Files', exact: true })
      .getByRole('listitem')
      .filter({ has: page.getByText('large.txt', { exact: true }) })
      .getByText('8.58 MB')
      .waitFor();
  });
});
