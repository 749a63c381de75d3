import type { FileChooser, Locator, Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/accessibility.ts';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { aPhotograph } from '../support/files.ts';
import { answered, signIn, signedIn, useSession } from '../support/inbox.ts';
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
/** Returns the intrinsic width and height of an image once it is visible. */
const sizeOf = async (picture: Locator) =>
  await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
const card = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Files', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

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
    expect(await faultsOf(page)).toEqual([]);
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
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy URL' }).click();
    await notice(page, 'URL copied to clipboard!').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();

    await page.getByRole('button', { name: 'Delete warehouse.jpg' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this file?' });
    await dialog.getByText('No post, unsaved change or home page text uses this file.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
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
    expect(await overflow(page)).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
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
    expect(await faultsOf(page)).toEqual([]);
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
    await page.getByRole('list', { name: 'Uploads' }).getByText('file type isn').waitFor();
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
    expect(await faultsOf(page)).toEqual([]);
    const drawing = { name: 'team.png', mimeType: 'image/png', buffer: Buffer.from(await aPhotograph('png')) };
    await chosen(page, dialog, drawing);
    await dialog.getByText('team.png is a PNG file. Choose a .jpg file, because the URL stays the same.').waitFor();
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
    expect(await faultsOf(page)).toEqual([]);
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
    const former = page.locator('.media-fields > div', { hasText: 'Previous file' });
    await former.getByText('40 × 60 pixels').waitFor();
    await former.getByRole('button', { name: 'Restore previous file' }).press('Enter');
    await page.locator('.media-fields > div', { hasText: 'Size' }).getByText('40 × 60 pixels').waitFor();
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
    await dialog.getByText('No post, unsaved change or home page text uses this file.').waitFor();
    await chosen(page, dialog, text('large.txt', 9_000_000));
    expect(await overflow(page)).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await api(`/api/cms/media/${plan.id}/replace`, formOf('theirs.txt', 'theirs'));
    await ready(dialog).click();
    await notice(page, 'Failed to replace file').waitFor();
    expect(await (await fetch(site.url + plan.url)).text()).toBe('theirs');
    // The dialog shows the other admin's file. The file of this admin was not uploaded again.
    await page.getByRole('dialog', { name: 'plan.txt' }).getByText('6 Bytes').waitFor();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const row = page.getByRole('list', { name: 'Uploads' });
    await row.getByText('Someone else replaced this file after you opened it.').waitFor();
    expect(await overflow(page)).toBe(0);
    await row.getByRole('button', { name: 'Try again' }).click();
    await notice(page, 'File replaced').waitFor();
    await card(page, 'plan.txt').getByText('8.58 MB').waitFor();
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
      .getByText('The address of this file ends in .txt, so the new file must be .txt too. You chose a .pdf file.')
      .waitFor();
  });
});

describe('An admin with the texts of the home page', () => {
  test('loads them, changes one, and sees it on the site', async () => {
    const page = await open('/admin?tab=content');
    await page.getByRole('link', { name: 'Main heading' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Load missing content' }).click();
    await notice(page, 'Website content loaded successfully!').waitFor();
    await page.getByRole('link', { name: 'Successful projects' }).click();
    await page.getByLabel('Title').fill('140+');
    await page.getByLabel('Metadata').fill('{a');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Metadata must be valid JSON.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Metadata').fill('{"a": 1}');
    await page.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Content updated successfully!').waitFor();
    await page.getByRole('list', { name: 'Sections' }).getByText('140+').waitFor();
    await page.getByText(/^Live since .*: Successful projects$/).waitFor();
    await page.goto('/');
    await page.locator('[data-section="stats_projects"]').getByText('140+').waitFor();
  });

  test('is offered unsaved text after a reload, and can discard it', async () => {
    const page = await open('/admin?tab=content&section=cta_title', { device: 'phone' });
    await page.getByLabel('Title').fill('Half a thou');
    await page.reload();
    await page.getByText('You have unsaved changes').waitFor();
    expect(await page.getByLabel('Title').inputValue()).not.toBe('Half a thou');
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a thou');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Contact: heading' }).click();
    expect(await page.getByText('You have unsaved changes').count()).toBe(0);
  });

  test('opens another tab during a save, learns there that it failed, and finds the text again', async () => {
    const page = await open('/admin?tab=content&section=about_description', { expected: [answered(503)] });
    const reply = Promise.withResolvers<undefined>();
    await page.route('**/api/cms/content/about_description', async (route) => {
      await reply.promise;
      await route.fulfill({ status: 503, json: { message: 'The database is away.' } });
    });
    await page.getByLabel('Title').fill('Written in a hurry');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Password' }).waitFor();
    reply.resolve(undefined);
    await notice(page, 'Failed to update content').waitFor();
    expect(new URL(page.url()).search).toBe('?tab=settings');
    await page.goto('/admin?tab=content&section=about_description');
    await page.getByRole('button', { name: 'Restore' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Written in a hurry');
  });

  test('sees the version that another admin saved, and chooses', async () => {
    const page = await open('/admin?tab=content&section=about_title', { expected: [answered(409)] });
    await page.getByLabel('Title').fill('Mine');
    const [cookie] = session.cookies;
    await page.request.put('/api/cms/content/about_title', {
      data: { title: 'Theirs' },
      headers: { cookie: `${cookie?.name}=${cookie?.value}`, origin: site.url },
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Someone else changed this text' });
    await alert.getByText('Theirs', { exact: true }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    await alert.getByRole('button', { name: 'Save your version' }).click();
    await notice(page, 'Content updated successfully!').waitFor();
    await page.getByRole('list', { name: 'Sections' }).getByText('Mine', { exact: true }).waitFor();
  });
});

describe('An admin with the logo', () => {
  const svg = (name: string, fill: string) => ({
    name,
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="200" height="60" fill="${fill}"/></svg>`,
    ),
  });
  const shown = async () => await (await fetch(`${site.url}/uploads/logo`)).text();

  test('previews a selected file until Upload or Cancel, and restores the previous logo', async () => {
    const page = await open('/admin?tab=settings', { device: 'phone' });
    const before = await shown();
    const panel = page.getByRole('region', { name: 'Logo Upload' });
    await panel.getByText('Default logo').waitFor();
    await picker(page).setInputFiles(text('words.txt'));
    await notice(page, 'Please select an image file (JPG, PNG, GIF, SVG, WebP)').waitFor();
    await picker(page).setInputFiles(svg('green.svg', '#0b4f36'));
    await panel.getByRole('group', { name: 'Selected file' }).getByText('0.00 MB').waitFor();
    await panel.getByRole('button', { name: 'Cancel' }).click();
    expect(await shown()).toBe(before);
    await picker(page).setInputFiles(svg('green.svg', '#0b4f36'));
    expect(await sizeOf(panel.getByRole('group', { name: 'Selected file' }).locator('img'))).toEqual([200, 60]);
    expect(await overflow(page)).toBe(0);
    await panel.getByRole('button', { name: 'Upload Logo' }).click();
    await notice(page, 'Your logo has been uploaded successfully').waitFor();
    await page.getByText(/^Live since .*: Logo green\.svg$/).waitFor();
    expect(await shown()).toContain('#0b4f36');
    await panel.getByRole('button', { name: 'Restore previous logo' }).click();
    await panel.getByText('Default logo').waitFor();
    await page.getByText(/^Live since .*: Logo logo\.svg$/).waitFor();
    expect(await shown()).toBe(before);
  });

  test('finds the same functions on a separate page, with different messages', async () => {
    const page = await open('/admin/settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByText('Manage your website settings and branding').waitFor();
    await page.getByRole('list', { name: 'Requirements' }).getByText('Max 5MB').waitFor();
    await picker(page).setInputFiles(text('words.txt'));
    await notice(page, 'Invalid File Type').waitFor();
    await picker(page).setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) });
    await notice(page, 'Please select a file smaller than 5MB').waitFor();
    await picker(page).setInputFiles(svg('red.svg', '#8c1f0b'));
    await page.getByRole('group', { name: 'Selected file' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Upload Logo' }).focus();
    await page.keyboard.press('Enter');
    await notice(page, 'Logo Updated').waitFor();
    await page.getByText(/^Live since .*: Logo red\.svg$/).waitFor();
    expect(await shown()).toContain('#8c1f0b');
  });

  test('learns that an upload failed, keeps the selected file, and sends it again', async () => {
    const page = await open('/admin/settings', { expected: [answered(502)] });
    await picker(page).setInputFiles(svg('late.svg', '#123456'));
    await page.route('**/api/settings/logo', (route) =>
      route.fulfill({ status: 502, body: '<html><body>Bad gateway</body></html>' }),
    );
    await page.getByRole('button', { name: 'Upload Logo' }).click();
    await notice(page, 'Upload Failed').waitFor();
    await notice(page, 'Upload failed').waitFor();
    await page.unroute('**/api/settings/logo');
    await page.getByRole('button', { name: 'Upload Logo' }).click();
    await notice(page, 'Logo Updated').waitFor();
    expect(await shown()).toContain('#123456');
  });

  test('without a session is sent to the home page', async () => {
    const page = await browser.newPage({ baseURL: site.url, expected: [answered(401)] });
    await page.goto('/admin/settings');
    await page.getByText('Access Denied').waitFor();
    await page.getByText('You need to be logged in to access settings.').waitFor();
    await page.waitForURL(`${site.url}/`);
  });
});
