import type { FileChooser, Locator, Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { aPhotograph } from '../support/files.ts';
import { answered, signIn, signedIn, useSession } from '../support/inbox.ts';
import { sizeOf } from '../support/layout.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const session = useSession(site);
let photograph: Buffer;
beforeAll(async () => {
  photograph = Buffer.from(await aPhotograph('jpeg'));
});

const open = async (path: string, options: PageOptions = {}): Promise<Page> => {
  const page = await signedIn(browser, site, session, options);
  await page.goto(path);
  return page;
};
const picker = (page: Page) => page.locator('input[type="file"]').first();
const text = (name: string, size = 10) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 97) });
const notice = (page: Page, words: string) => page.locator('[data-toast]').getByText(words, { exact: true });
const card = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Files', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

/** Cuts the connection during the second part of a file, once. @returns the parts that arrived, in order. */
async function cutSecondPart(page: Page): Promise<readonly string[]> {
  const parts: string[] = [];
  let cut = true;
  await page.route('**/api/uploads/*/parts/*', async (route) => {
    const part = route.request().url().split('/').at(-1) ?? '';
    if (part === '2' && cut) {
      cut = false;
      return await route.abort('connectionreset');
    }
    parts.push(part);
    await route.continue();
  });
  return parts;
}

describe('An admin with files', () => {
  test('drops a file on the upload area, describes it, copies its URL, deletes it and undoes this', async () => {
    const page = await open('/admin?tab=media', {
      context: { storageState: session, permissions: ['clipboard-write'] },
    });
    const zone = page.getByRole('group', { name: 'Upload files' });
    await page.getByRole('heading', { name: 'No files yet' }).waitFor();
    const dropped = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], 'warehouse.jpg', { type: 'image/jpeg' }));
        return transfer;
      },
      [...photograph],
    );
    await zone.dispatchEvent('dragenter', { dataTransfer: dropped });
    expect(await zone.getAttribute('data-over')).toBe('true');
    await zone.dispatchEvent('drop', { dataTransfer: dropped });
    await notice(page, 'File uploaded successfully!').waitFor();
    expect(await zone.getAttribute('data-over')).toBeNull();

    // After an upload of a single image, the image opens so that the admin can describe it.
    await page.getByRole('heading', { name: 'warehouse.jpg' }).waitFor();
    await page.getByRole('button', { name: 'Save description' }).click();
    await page.getByText('Describe the picture, or mark it as decorative.').waitFor();
    await page.getByLabel('Description').fill('The warehouse at night');
    await page.getByRole('button', { name: 'Save description' }).click();
    await notice(page, 'Description saved').waitFor();
    await page.getByRole('button', { name: 'Copy URL' }).click();
    await notice(page, 'URL copied to clipboard!').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();

    await page.getByRole('button', { name: 'Delete warehouse.jpg' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this file?' });
    await dialog.getByText('No post, unsaved draft or Home page text uses this file.').waitFor();
    await dialog.getByRole('button', { name: 'Delete file' }).click();
    await notice(page, 'File deleted successfully!').waitFor();
    await page.getByRole('heading', { name: 'No files yet' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await notice(page, 'File restored').waitFor();
    await card(page, 'warehouse.jpg').waitFor();
    const shown = await page.request.get((await page.locator('.media-open img').first().getAttribute('src')) ?? '');
    expect(shown.status()).toBe(200);
  });

  test('sends several files together, and only the file that is too large is refused', async () => {
    const page = await open('/admin?tab=media', { device: 'phone' });
    await card(page, 'warehouse.jpg').waitFor();
    await picker(page).setInputFiles([text('one.txt'), text('huge.txt', 10_485_761), text('two.txt', 20)]);
    await page.getByText('huge.txt is larger than 10MB').first().waitFor();
    await card(page, 'one.txt').waitFor();
    await card(page, 'two.txt').waitFor();
    await card(page, 'two.txt').getByText('20 Bytes').waitFor();
    await page.getByRole('button', { name: 'Dismiss huge.txt' }).click();
    await page.getByRole('searchbox').fill('two');
    await card(page, 'one.txt').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('nothing here');
    await page.getByRole('heading', { name: 'No files match “nothing here”.' }).waitFor();
    await page.getByRole('button', { name: 'Show all files' }).click();
    await card(page, 'one.txt').waitFor();
  });

  test('loses the network during a large upload, and continues at the same point', async () => {
    const page = await open('/admin?tab=media', { expected: ['net::ERR', 'request failed'] });
    const parts = await cutSecondPart(page);
    await picker(page).setInputFiles(text('large.txt', 9_000_000));
    await card(page, 'large.txt').getByText('8.58 MB').waitFor();
    expect(parts).toEqual(['1', '2', '3']);
  });

  test('signs in again during an upload, and loses nothing', async () => {
    const page = await open('/admin?tab=media', { expected: [answered(401)] });
    await card(page, 'one.txt').waitFor();
    await page.context().clearCookies();
    await picker(page).setInputFiles(text('kept.txt', 30));
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await signIn(site, dialog);
    await card(page, 'kept.txt').waitFor();
  });

  test('selects a picture for a post after describing it', async () => {
    const page = await open('/admin?tab=blog');
    await page.getByRole('button', { name: 'New post' }).first().click();
    await page.getByRole('button', { name: 'Choose from library' }).first().click();
    const library = page.getByRole('dialog', { name: 'Choose a picture' });
    await library.getByText('warehouse.jpg').waitFor();
    await library.locator('input[type="file"]').setInputFiles({
      name: 'office.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await aPhotograph('jpeg', 3)),
    });
    const describing = page.getByRole('dialog', { name: 'Describe the picture' });
    await describing.getByLabel(/^Decorative/).check();
    await describing.getByRole('button', { name: 'Use this picture' }).click();
    await describing.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Featured picture').inputValue()).toMatch(/^\/uploads\/[0-9a-f-]+\/office\.jpg$/);
  });

  test('reads why a file was refused', async () => {
    const page = await open('/admin?tab=media', { expected: [answered(415)] });
    await picker(page).setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') });
    await notice(page, 'Failed to upload file').waitFor();
    await page.getByRole('list', { name: 'Uploads' }).getByText('The name of this file ends in .pdf').waitFor();
  });
});

describe('An admin who replaces a file', () => {
  const api = async (path: string, data: object | FormData) => {
    const [cookie] = session.cookies;
    const json = !(data instanceof FormData);
    const response = await fetch(site.url + path, {
      method: 'POST',
      body: json ? JSON.stringify(data) : data,
      headers: {
        cookie: `${cookie?.name}=${cookie?.value}`,
        origin: site.url,
        ...(json && { 'content-type': 'application/json' }),
      },
    });
    expect(response.status).toBeLessThan(300);
    return (await response.json()).data;
  };
  const formOf = (name: string, bytes: BlobPart) => {
    const form = new FormData();
    form.append('file', new File([bytes], name));
    return form;
  };
  const upload = (name: string, bytes: BlobPart): Promise<{ id: string; url: string }> =>
    api('/api/cms/media', formOf(name, bytes));
  const chosen = async (page: Page, dialog: Locator, file: Parameters<FileChooser['setFiles']>[0]) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: /^Choose/ }).press('Enter'),
    ]);
    await chooser.setFiles(file);
  };
  const ready = (dialog: Locator) => dialog.getByRole('button', { name: 'Replace file' });

  test('does so by keyboard, sees where it is used, sees the new file in the post immediately, and undoes it', async () => {
    const team = await upload('team.jpg', await aPhotograph('jpeg'));
    const content = `<p>Us</p><p><img src="${team.url}" alt="The team" width="60" height="40"></p>`;
    const post = { title: 'Who we are', slug: 'who-we-are', content, featuredImage: team.url, status: 'published' };
    await api('/api/cms/blog-posts', post);
    const reader = await browser.newPage({ baseURL: site.url });
    const shown = async () => {
      await reader.goto('/blog/who-we-are');
      const picture = reader.getByRole('img', { name: 'The team' });
      await picture.scrollIntoViewIfNeeded();
      return await picture.evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return [image.naturalWidth < image.naturalHeight ? 'upright' : 'wide', image.width, image.height];
      });
    };
    expect(await shown()).toEqual(['wide', 60, 40]);

    const page = await open(`/admin?tab=media&file=${team.id}`);
    await page.getByRole('button', { name: 'Replace', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Replace this file?' });
    await dialog.getByText('Blog post Who we are').waitFor();
    const drawing = { name: 'team.png', mimeType: 'image/png', buffer: Buffer.from(await aPhotograph('png')) };
    await chosen(page, dialog, drawing);
    await dialog
      .getByText('team.png is a PNG file. The URL stays the same and ends in .jpg, so choose a .jpg file.')
      .waitFor();
    expect(await ready(dialog).count()).toBe(0);
    const upright = { name: 'new.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await aPhotograph('jpeg', 6)) };
    await chosen(page, dialog, { ...upright, name: 'first.jpg', buffer: Buffer.from(await aPhotograph('jpeg')) });
    await dialog.getByText('first.jpg, ').waitFor();
    const preview = dialog.getByRole('figure').filter({ hasText: 'New' }).locator('img');
    expect(await sizeOf(preview)).toEqual([60, 40]);
    await chosen(page, dialog, upright);
    await dialog.getByText(`new.jpg, `).waitFor();
    expect(await sizeOf(preview)).toEqual([40, 60]);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Tab');
    expect(await ready(dialog).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await notice(page, 'File replaced').waitFor();
    await page.getByText('40 × 60 pixels').waitFor();
    expect(await shown()).toEqual(['upright', 40, 60]);

    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await notice(page, 'Previous file restored').waitFor();
    expect(await shown()).toEqual(['wide', 60, 40]);
    // Undo does not discard the new file, which becomes the previous file.
    const former = page.locator('dl > div', { hasText: 'Previous file' });
    await former.getByText('40 × 60 pixels').waitFor();
    await former.getByRole('button', { name: 'Restore previous file' }).press('Enter');
    await page.locator('dl > div', { hasText: 'Size' }).getByText('40 × 60 pixels').waitFor();
    expect(await shown()).toEqual(['upright', 40, 60]);
  });

  test('loses the network during a large upload, and learns that another admin replaced the file first', async () => {
    const plan = await upload('plan.txt', 'the first');
    const page = await open(`/admin?tab=media&file=${plan.id}`, {
      device: 'phone',
      expected: ['net::ERR', 'request failed', answered(409)],
    });
    const parts = await cutSecondPart(page);
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace this file?' });
    await dialog.getByText('No post, unsaved draft or Home page text uses this file.').waitFor();
    await chosen(page, dialog, text('large.txt', 9_000_000));
    await api(`/api/cms/media/${plan.id}/replace`, formOf('theirs.txt', 'theirs'));
    await ready(dialog).click();
    await notice(page, 'Failed to replace file').waitFor();
    expect(await (await fetch(site.url + plan.url)).text()).toBe('theirs');
    // The dialog shows the other admin's file, which has 6 bytes.
    await page.getByRole('dialog', { name: 'plan.txt' }).getByText('6 Bytes').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const row = page.getByRole('list', { name: 'Uploads' });
    await row.getByText('Someone else replaced plan.txt after you opened it.').waitFor();
    await row.getByRole('button', { name: 'Try again' }).click();
    await notice(page, 'File replaced').waitFor();
    await card(page, 'plan.txt').getByText('8.58 MB').waitFor();
    // “Try again” uploaded no part a second time.
    expect(parts).toEqual(['1', '2', '3']);
  });

  test('learns that the selected file is already there, or that its content does not match its name', async () => {
    const note = await upload('note.txt', 'a note');
    const page = await open(`/admin?tab=media&file=${note.id}`, { expected: [answered(415)] });
    const replaceBy = async (content: string) => {
      await page.getByRole('button', { name: 'Replace', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Replace this file?' });
      await chosen(page, dialog, { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from(content, 'latin1') });
      await ready(dialog).click();
    };
    await replaceBy('a note');
    await notice(page, 'The files are identical').waitFor();
    expect(await page.getByText('Previous file').count()).toBe(0);
    await replaceBy('%PDF-1.4 a letter %%EOF');
    await page
      .getByRole('list', { name: 'Uploads' })
      .getByText(
        'The file you chose is actually a .pdf file. The URL stays the same and ends in .txt, so choose a .txt file.',
      )
      .waitFor();
  });
});
