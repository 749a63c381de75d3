import { expect, test } from 'vitest';
import { aPhotograph } from '../support/files.ts';
import { inbox, signedIn, useSession } from '../support/inbox.ts';
import { useEngine } from '../support/person.ts';
import { postsApi } from '../support/post-editor.ts';
import { useSite } from '../support/site.ts';

const browser = useEngine();
const site = useSite();
const session = useSession(site);
const api = postsApi(site, session);

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
  await notice('File replaced').waitFor();
  await pane.getByText(/40 × 60 pixels/).waitFor();
  await expect.poll(shown).toMatch(/width="40" height="60"/);
  await inbox.notice(page).getByRole('button', { name: 'Undo' }).click();
  await notice('Previous file restored').waitFor();
  await expect.poll(shown).toMatch(/width="60" height="40"/);
  await pane.getByRole('button', { name: 'Delete', exact: true }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete this file?' });
  await deleting.getByText('Who we are').waitFor();
  await deleting.getByRole('button', { name: 'Delete file' }).click();
  await notice('File deleted successfully!').waitFor();
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
