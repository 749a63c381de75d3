import { expect, test } from 'vitest';
import { aPhotograph } from '../support/files.ts';
import { adminCall, inbox, signedIn, useSession } from '../support/inbox.ts';
import { useEngine } from '../support/person.ts';
import { posts, postsApi, visitPosts } from '../support/post-editor.ts';
import { useSite } from '../support/site.ts';

const { dialog, focusedName, row, saveButton, text } = posts;
const { notice } = inbox;
const browser = useEngine();
const site = useSite();
const session = useSession(site);
const api = postsApi(site, session);
const ask = adminCall(site, session);

test('An admin writes a post with a picture, shares the draft with a colleague, publishes it, and a visitor reads it', async () => {
  const page = await signedIn(browser, site, session);
  await visitPosts(page, '/admin?post=new');
  const [title, slug] = [dialog(page).getByLabel('Title'), dialog(page).getByLabel('Slug')];
  await saveButton(page).click();
  await notice(page).getByText('Please fill in all required fields').waitFor();
  await expect.poll(() => focusedName(page)).toBe('title');
  await dialog(page).getByText('Please enter the content.').waitFor();
  await title.fill('Closing: the Books, in 5 Days!');
  expect(await slug.inputValue()).toBe('closing-the-books-in-5-days');
  await slug.fill('five-day-close');
  await title.fill('Closing the books in five days');
  expect(await slug.inputValue()).toBe('five-day-close');
  await dialog(page).getByLabel('Excerpt').fill('One post, three browsers.');

  await text(page).click();
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
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const file = dialog(page).locator('.rich-text input[type=file]');
  await file.setInputFiles({ name: 'warehouse.jpg', buffer: Buffer.from(await aPhotograph('jpeg')) });
  await text(page).getByLabel('Description').fill('The warehouse at night');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Figure 1');

  await dialog(page).getByRole('button', { name: 'Share' }).click();
  const sharing = page.getByRole('dialog', { name: 'Share a preview' });
  await sharing.getByRole('button', { name: 'Create link' }).click();
  await notice(page).getByText('Link created').waitFor();
  const [draft] = await ask('/api/cms/unsaved');
  const [link] = await ask(`/api/cms/blog-posts/${draft.id}/links`);
  const reader = await browser.newPage({ baseURL: site.url });
  await reader.goto(link.path);
  await reader.getByText(/Anyone with this link can read the post until/).waitFor();
  await reader.getByRole('img', { name: 'The warehouse at night' }).waitFor();
  await page.keyboard.press('Escape');
  await sharing.waitFor({ state: 'detached' });

  await dialog(page).getByLabel('Status').selectOption('published');
  await saveButton(page).click();
  await notice(page).getByText('Blog post created successfully!').waitFor();
  await row(page, 'Closing the books').getByText('Published', { exact: true }).waitFor();
  await notice(page).getByRole('button', { name: 'View page' }).waitFor();
  const [stored] = await api.list('closing books');
  await expect.poll(() => ask('/api/cms/unsaved')).toEqual([]);
  expect(stored).toMatchObject({ slug: 'five-day-close', excerpt: 'One post, three browsers.' });
  expect(stored!.content.replace(/<img src="[^"]+" alt="([^"]*)"[^>]*>/, '[$1]')).toBe(
    '<h2>A heading</h2><p><strong>Bold</strong> words, then a list:</p><ul><li><p>one</p></li><li><p>two</p></li></ul>' +
      '<figure>[The warehouse at night]<figcaption>Figure 1</figcaption></figure>',
  );
  await reader.goto('/blog');
  await reader.getByRole('link', { name: /^Read More ?: Closing the books/ }).click();
  await reader.getByRole('heading', { name: 'A heading' }).waitFor();
  await reader.getByText('Figure 1').waitFor();
});
