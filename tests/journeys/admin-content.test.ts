import { expect, test } from 'vitest';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { aPhotograph } from '../support/samples/files.ts';
import { adminCall, answered, inbox, signedIn, useSession } from '../support/samples/inbox.ts';
import { useEngine } from '../support/browser/person.ts';
import { beginPost, posts, postsApi, visitPosts } from '../support/samples/post-editor.ts';
import { useSite } from '../support/host/site.ts';

const { dialog, focusedName, row, saveButton, text } = posts;
const { notice } = inbox;
const browser = useEngine();
const site = useSite();
const session = useSession(site);
const api = postsApi(site, session);
const ask = adminCall(site, session);

const picture = async (name: string, format: 'jpeg' | 'png', orientation = 1) => ({
  name,
  mimeType: `image/${format}`,
  buffer: Buffer.from(await aPhotograph(format, orientation)),
});

test('An admin uploads a picture, describes it, copies its URL, replaces it in a post, deletes it, and takes each step back', async () => {
  const page = await signedIn(browser, site, session);
  const notice = (words: string) => inbox.notice(page).getByText(words, { exact: true });
  await page.goto('/admin?tab=media');
  await page.getByRole('heading', { name: 'No files yet' }).waitFor();
  const chooser = page.getByRole('group', { name: 'Upload files' }).locator('input[type="file"]');
  await chooser.setInputFiles(await picture('team.jpg', 'jpeg'));
  await notice('File uploaded successfully!').waitFor();

  // After an upload of a single image, the image opens so that the admin can describe it.
  const pane = page.locator('section, dialog').filter({ has: page.getByRole('heading', { name: 'team.jpg' }) });
  await pane.getByRole('button', { name: 'Save description' }).click();
  await pane.getByText('Describe the picture, or mark it as decorative.').waitFor();
  await pane.getByLabel('Description').fill('The team at night');
  await pane.getByRole('button', { name: 'Save description' }).click();
  await notice('Description saved').waitFor();
  await pane.getByRole('button', { name: 'Copy URL' }).click();
  await notice('URL copied to clipboard!').waitFor();
  const url = (await pane.getByText(/^\/uploads\//).textContent()) ?? '';
  const content = `<p>Us</p><p><img src="${url}" alt="The team" width="60" height="40"></p>`;
  await api.create({ title: 'Who we are', slug: 'who-we-are', content, status: 'published' });
  const shown = async () => {
    const html = await (await fetch(`${site.url}/blog/who-we-are`)).text();
    return /<img[^>]*alt="The team"[^>]*>/.exec(html)?.[0];
  };
  await expect.poll(shown).toMatch(/width="60" height="40"/);

  await pane.getByRole('button', { name: 'Replace', exact: true }).click();
  const replacing = page.getByRole('dialog', { name: 'Replace this file?' });
  await replacing.getByText('Who we are').waitFor();
  await replacing.locator('input[type="file"]').setInputFiles(await picture('upright.jpg', 'jpeg', 6));
  await replacing.getByText(/^upright\.jpg, /).waitFor();
  await replacing.getByRole('button', { name: 'Replace file' }).click();
  // A notice stays while the mouse is on it.
  await notice('File replaced').hover();
  await pane.getByText(/40 × 60 pixels/).waitFor();
  await expect.poll(shown).toMatch(/width="40" height="60"/);
  await inbox.notice(page).getByRole('button', { name: 'Undo' }).click();
  await notice('Previous file restored').waitFor();
  await expect.poll(shown).toMatch(/width="60" height="40"/);
  await pane.getByRole('button', { name: 'Delete', exact: true }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete this file?' });
  await deleting.getByText('Who we are').waitFor();
  await deleting.getByRole('button', { name: 'Delete file' }).click();
  await notice('File deleted successfully!').hover();
  await page.getByRole('heading', { name: 'No files yet' }).waitFor();
  await inbox.notice(page).getByRole('button', { name: 'Undo' }).click();
  await notice('File restored').waitFor();
  const files = page.getByRole('list', { name: 'Files', exact: true });
  await files.getByText('team.jpg', { exact: true }).waitFor();
  expect((await fetch(site.url + url)).status).toBe(200);

  // A file of this size is sent in parts.
  await chooser.setInputFiles({ name: 'large.txt', buffer: Buffer.alloc(9_000_000, 97) });
  await files.getByRole('listitem').filter({ hasText: 'large.txt' }).getByText('8.58 MB').waitFor();
});

test('An admin writes a post with a picture, shares the draft with a colleague for a while, publishes it, and a visitor reads it', async () => {
  const page = await signedIn(browser, site, session);
  await visitPosts(page);
  await beginPost(page);
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
  expect(await sharing.getByRole('list', { name: 'Active links' }).innerText()).toMatch(/Expires \w{3} \d+, \d{4}/);
  await sharing.getByRole('button', { name: 'Revoke link 1 of 1' }).click();
  await sharing.getByText('This post has no active share link.').waitFor();
  expect((await fetch(site.url + link.path)).status).toBe(404);
  await page.keyboard.press('Escape');
  await sharing.waitFor({ state: 'detached' });

  await dialog(page).getByLabel('Status').selectOption('published');
  await saveButton(page).click();
  await notice(page).getByText('Blog post created successfully!').hover();
  await notice(page).getByRole('button', { name: 'View page' }).waitFor();
  await row(page, 'Closing the books').getByText('Published', { exact: true }).waitFor();
  const [stored] = await api.list('closing books');
  await expect.poll(() => ask('/api/cms/unsaved')).toEqual([]);
  expect(stored).toMatchObject({ slug: 'five-day-close', excerpt: 'One post, three browsers.' });
  expect(stored!.content.replace(/<img src="[^"]+" alt="([^"]*)"[^>]*>/, '[$1]')).toBe(
    '<h2>A heading</h2><p><strong>Bold</strong> words, then a list:</p><ul><li><p>one</p></li><li><p>two</p></li></ul>' +
      '<figure>[The warehouse at night]<figcaption>Figure 1</figcaption></figure>',
  );

  await visitPosts(page, `/admin?post=${stored!.id}`);
  const scrolled = (field: Element) => field.closest('.overflow-auto')!.scrollTop;
  expect(await dialog(page).getByLabel('Title').evaluate(scrolled)).toBe(0);
  await reader.goto('/blog');
  await reader.getByRole('link', { name: /^Read More ?: Closing the books/ }).click();
  await reader.getByRole('heading', { name: 'A heading' }).waitFor();
  await reader.getByText('Figure 1').waitFor();
});

test('An admin changes a text of the home page, sees it there, and chooses between two versions', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(409), /409/] });
  await page.goto('/admin?tab=content');
  await page.getByRole('button', { name: 'Save default text' }).click();
  await notice(page).getByText('Website content loaded successfully!').waitFor();
  await page.getByRole('link', { name: 'Successful projects' }).click();
  await page.getByLabel('Title').fill('140+');
  await page.getByLabel('Metadata').fill('{a');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Metadata must be valid JSON.').waitFor();
  await page.getByLabel('Metadata').fill('{"a": 1}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await notice(page).getByText('Content updated successfully!').hover();
  await notice(page).getByText('Visitors see the change within a few seconds.').waitFor();
  await notice(page).getByRole('button', { name: 'View page' }).waitFor();
  await page.getByRole('list', { name: 'Sections' }).getByText('140+').waitFor();
  await expect.poll(async () => (await fetch(site.url)).text()).toContain('140+');

  await page.getByRole('link', { name: 'About: heading' }).click();
  await page.getByLabel('Title').fill('My heading');
  await ask(apiPaths.section('about_title'), 'PUT', { title: 'Their heading' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const choice = page.getByRole('dialog', { name: 'Someone else changed this section' });
  await choice.getByRole('region', { name: 'Their version, saved' }).getByText('Their heading').waitFor();
  await choice.getByRole('region', { name: 'Your version, not saved' }).getByText('My heading').waitFor();
  await choice.getByRole('button', { name: 'Save your version' }).click();
  await page.getByRole('list', { name: 'Sections' }).getByText('My heading', { exact: true }).waitFor();
});

test('An admin changes the logo after a look at it, and puts the former one back', async () => {
  const page = await signedIn(browser, site, session);
  const shown = async () => (await fetch(`${site.url}/uploads/logo`)).text();
  const before = await shown();
  await page.goto('/admin?tab=settings');
  const panel = page.getByRole('region', { name: 'Logo Upload' });
  await panel.getByText('Default logo').waitFor();
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect fill="#0b4f36"/></svg>';
  const file = { name: 'green.svg', buffer: Buffer.from(drawing) };
  const chosen = panel.getByRole('group', { name: 'Selected file' });
  await panel.locator('input[type="file"]').setInputFiles(file);
  await chosen.getByText('0.01 MB').waitFor();
  await chosen.getByRole('button', { name: 'Cancel' }).click();
  await chosen.waitFor({ state: 'detached' });
  expect(await shown()).toBe(before);
  await panel.locator('input[type="file"]').setInputFiles(file);
  const preview = await chosen.locator('img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth / image.naturalHeight;
  });
  // Once the drawing is on the page, WebKit gives its size there as its natural size.
  expect(preview).toBeCloseTo(200 / 60, 1);
  await panel.getByRole('button', { name: 'Upload Logo' }).click();
  await inbox.notice(page).getByText('Your logo has been uploaded successfully').waitFor();
  expect(await shown()).toContain('#0b4f36');
  await panel.getByRole('button', { name: 'Restore previous logo' }).click();
  await panel.getByText('Default logo').waitFor();
  expect(await shown()).toBe(before);

  await panel.getByRole('link', { name: 'Open the logo settings on a separate page' }).click();
  await page.getByText('Manage your website settings and branding').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('link', { name: 'Admin Dashboard' }).click();
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
});
