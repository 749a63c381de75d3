import { describe, expect, test } from 'vitest';
import { inbox, signedIn, useSession } from '../support/inbox.ts';
import { posts, postsApi, visitPosts, write } from '../support/post-editor.ts';
import { useEngine } from '../support/person.ts';
import { useSite } from '../support/site.ts';

const { notice } = inbox;
const browser = useEngine();
const site = useSite();
const session = useSession(site);
const api = postsApi(site, session);

describe('An admin', () => {
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
});
