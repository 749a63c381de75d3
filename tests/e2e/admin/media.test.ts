import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChooser, Locator, Page, Route } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPhotograph } from '../../support/samples/files.ts';
import { answered, inbox, signIn, useAdmin } from '../../support/samples/inbox.ts';

const { site, open, call } = useAdmin();
/** The path of a file that is sent in three parts. */
let large: string;
beforeAll(async () => {
  large = join(await mkdtemp(join(tmpdir(), 'large-')), 'large.txt');
  await writeFile(large, Buffer.alloc(9_000_000, 97));
});

const picker = (page: Page) => page.locator('input[type="file"]').first();
const text = (name: string, size: number) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 97) });
const notice = (page: Page, words: string) => inbox.notice(page).getByText(words, { exact: true });
const uploads = (page: Page) => page.getByRole('list', { name: 'Uploads' });
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

const formOf = (name: string, bytes: BlobPart) => {
  const form = new FormData();
  form.append('file', new File([bytes], name));
  return form;
};
const upload = (name: string, bytes: BlobPart): Promise<{ id: string; url: string }> =>
  call('/api/cms/media', 'POST', formOf(name, bytes));
const chosen = async (page: Page, dialog: Locator, file: Parameters<FileChooser['setFiles']>[0]) => {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: /^Choose/ }).press('Enter'),
  ]);
  await chooser.setFiles(file);
};
const ready = (dialog: Locator) => dialog.getByRole('button', { name: 'Replace file' });

describe('An admin with files', () => {
  test('drops several together, reads why two are refused, finds one of the others, cancels uploads, and selects a picture for a post', async () => {
    const page = await open('/admin?tab=media', { expected: [answered(415)] });
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      const add = (name: string, content: string, type: string) =>
        transfer.items.add(new File([content], name, { type }));
      add('one.txt', 'one', 'text/plain');
      add('huge.txt', 'a'.repeat(10_485_761), 'text/plain');
      add('page.pdf', '<html>', 'application/pdf');
      add('two.txt', 'a'.repeat(20), 'text/plain');
      return transfer;
    });
    const zone = page.getByRole('group', { name: 'Upload files' });
    for (const event of ['dragenter', 'drop']) await zone.dispatchEvent(event, { dataTransfer: dropped });
    await uploads(page).getByText('huge.txt is larger than 10MB').waitFor();
    await uploads(page).getByText('The name of this file ends in .pdf').waitFor();
    await card(page, 'one.txt').waitFor();
    await card(page, 'two.txt').getByText('20 Bytes').waitFor();
    await page.getByRole('button', { name: 'Dismiss huge.txt' }).click();
    await uploads(page).getByText('huge.txt').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('two');
    await card(page, 'one.txt').waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('nothing here');
    await page.getByRole('heading', { name: 'No files match “nothing here”' }).waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await card(page, 'one.txt').waitFor();

    const names = ['first.txt', 'second.txt', 'third.txt'];
    // The first two uploads get no answer.
    await page.route('**/api/cms/media', () => undefined, { times: 2 });
    await picker(page).setInputFiles(names.map((name) => text(name, 20)));
    await uploads(page).getByRole('listitem').filter({ hasText: 'third.txt' }).getByText('20 Bytes, waiting').waitFor();
    for (const name of names.toReversed()) {
      await page.getByRole('button', { name: `Cancel ${name}` }).click();
      await uploads(page).getByText(name, { exact: true }).waitFor({ state: 'detached' });
    }
    await picker(page).setInputFiles([text('instead.txt', 30), text('also.txt', 30)]);
    await notice(page, '2 files').waitFor();
    await card(page, 'instead.txt').waitFor();
    for (const name of names) expect(await card(page, name).count()).toBe(0);

    await page.getByRole('tab', { name: 'Blog Posts' }).click();
    await page.getByRole('button', { name: 'New post' }).first().click();
    await page.getByRole('button', { name: 'Choose or upload picture' }).click();
    await page
      .getByRole('dialog', { name: 'Choose a picture' })
      .locator('input[type="file"]')
      .setInputFiles({ name: 'office.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await aPhotograph('jpeg')) });
    const describing = page.getByRole('dialog', { name: 'Describe the picture' });
    await describing.getByLabel(/^Decorative/).check();
    await describing.getByRole('button', { name: 'Use this picture' }).click();
    await describing.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Featured picture').inputValue()).toMatch(/^\/uploads\/[0-9a-f-]+\/office\.jpg$/);
  });

  test('loses the network and then the session during uploads, and continues at the same point', async () => {
    const page = await open('/admin?tab=media', { expected: ['net::ERR', 'request failed', answered(401)] });
    const parts = await cutSecondPart(page);
    await picker(page).setInputFiles(large);
    await card(page, 'large.txt').getByText('8.58 MB').waitFor();
    expect(parts).toEqual(['1', '2', '3']);
    await page.context().clearCookies();
    await picker(page).setInputFiles(text('kept.txt', 30));
    await signIn(site, page.getByRole('dialog', { name: 'Sign in again' }));
    await card(page, 'kept.txt').waitFor();
  });
});

test('An admin whose connection breaks while a file is deleted, and again while it is restored, gets it back', async () => {
  const { url } = await upload('wanted.txt', 'wanted');
  const page = await open('/admin?tab=media', { expected: ['net::ERR', 'request failed'] });
  await page.getByRole('button', { name: 'Delete wanted.txt' }).click();
  const loseResponse = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/api/cms/media/*', loseResponse, { times: 1 });
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete file' });
  await remove.click();
  await notice(page, 'Failed to delete file').waitFor();
  expect((await fetch(site.url + url)).status).toBe(404);
  await remove.click();
  await notice(page, 'File deleted successfully!').waitFor();
  await page.route('**/api/cms/media/*/restore', (route) => route.abort(), { times: 1 });
  await inbox.notice(page).getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Couldn’t restore the file').waitFor();
  await inbox.notice(page).getByRole('button', { name: 'Try again' }).click();
  await notice(page, 'File restored').waitFor();
  await card(page, 'wanted.txt').waitFor();
});

test('An admin who replaces files loses the network during a large upload, and learns why a file cannot replace another', async () => {
  const note = await upload('note.txt', 'a note');
  const plan = await upload('plan.txt', 'the first');
  const page = await open(`/admin?tab=media&file=${plan.id}`, {
    device: 'phone',
    expected: ['net::ERR', 'request failed', answered(409), answered(415)],
  });
  const parts = await cutSecondPart(page);
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace this file?' });
  await dialog.getByText('No posts, sections or unsaved changes use this file.').waitFor();
  await chosen(page, dialog, large);
  await call(`/api/cms/media/${plan.id}/replace`, 'POST', formOf('theirs.txt', 'theirs'));
  await ready(dialog).click();
  await notice(page, 'Failed to replace file').waitFor();
  expect(await (await fetch(site.url + plan.url)).text()).toBe('theirs');
  // The dialog shows the other admin's file, which has 6 bytes.
  await page.getByRole('dialog', { name: 'plan.txt' }).getByText('6 Bytes').waitFor();
  await page.getByRole('button', { name: 'Close' }).first().click();
  const row = uploads(page);
  await row.getByText('Someone else replaced plan.txt after you opened it.').waitFor();
  await row.getByRole('button', { name: 'Try again' }).click();
  await notice(page, 'File replaced').waitFor();
  await card(page, 'plan.txt').getByText('8.58 MB').waitFor();
  // “Try again” uploaded no part a second time.
  expect(parts).toEqual(['1', '2', '3']);

  await page.goto(`/admin?tab=media&file=${note.id}`);
  const replaceBy = async (content: string) => {
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await chosen(page, dialog, { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from(content, 'latin1') });
    await ready(dialog).click();
  };
  await replaceBy('a note');
  await notice(page, 'Nothing was replaced, because the new file is identical').waitFor();
  await replaceBy('%PDF-1.4 a letter %%EOF');
  await uploads(page)
    .getByText(
      'The file you chose is actually a .pdf file. The URL stays the same and ends in .txt, so choose a .txt file.',
    )
    .waitFor();
});
