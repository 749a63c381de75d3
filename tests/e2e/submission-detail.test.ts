import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { answered, inbox, inboxPath, send, useInbox } from '../support/inbox.ts';
import { multipart } from '../support/multipart.ts';
import { anApplication, resumeFile } from '../support/resumes.ts';

const { opened, notice, row } = inbox;
const { site, openInbox } = useInbox();

async function apply(fullName: string): Promise<void> {
  const email = `${fullName.toLowerCase().replace(' ', '.')}@quill.example`;
  const { body, headers } = await multipart({ ...anApplication({ fullName, email }), resume: resumeFile() });
  const answer = await fetch(`${site.url}/api/career-application`, { method: 'POST', body, headers });
  expect(answer.status).toBe(201);
}

/**
 * Waits until the server has stored the note, which removes the Discard button. The label of the Save button changes
 * earlier, when the request starts.
 */
const saved = (panel: Locator) =>
  panel.getByRole('button', { name: 'Discard', exact: true }).waitFor({ state: 'detached' });

test('An admin keeps an application with a reason, sees it marked in the list, and allows its deletion', async () => {
  await apply('Kept Person');
  const page = await openInbox('/admin?tab=submissions&list=applications');
  const kept = page.getByRole('table', { name: 'Applications' }).locator('tbody tr').filter({ hasText: 'Kept Person' });
  await kept.click();
  const panel = opened(page, 'Kept Person');
  await panel.getByText(/^This application and its resume will be deleted on \w{3} \d+, \d{4}/).waitFor();
  await panel.getByRole('button', { name: 'Keep after deletion date…' }).click();
  const reason = panel.getByLabel('Reason to keep this application');
  expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true);
  await reason.fill('A claim was announced.');
  await panel.getByRole('button', { name: 'Keep after deletion date', exact: true }).click();
  await notice(page).getByText('Kept after deletion date').waitFor();
  await panel.getByText('A claim was announced.').waitFor();
  await panel.getByText(/^owner@firm\.example chose this on/).waitFor();
  await kept.getByText('Kept', { exact: true }).waitFor();

  await panel.getByRole('button', { name: 'Erase this person’s data…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase a person’s data' });
  await dialog.getByText('Someone marked an application to be kept').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await panel.getByRole('button', { name: 'Allow deletion' }).click();
  await notice(page).getByText('Deletion allowed').waitFor();
  await panel.getByRole('button', { name: 'Keep after deletion date…' }).waitFor();
  await kept.getByText('Kept', { exact: true }).waitFor({ state: 'detached' });
});

describe('A private note', () => {
  const noteOf = (page: Page, name: string) => opened(page, name).getByLabel('Private note');

  test('that is not saved survives another row, another tab and a reload, and can be discarded', async () => {
    await send(site, { fullName: 'Other Row' });
    await send(site, { fullName: 'Noted Person' });
    const page = await openInbox();
    await row(page, 'Noted Person').click();
    await noteOf(page, 'Noted Person').fill('Call on Monday');
    await opened(page, 'Noted Person').getByText('Unsaved changes. Backed up on this device.').waitFor();
    await row(page, 'Other Row').click();
    expect(await noteOf(page, 'Other Row').inputValue()).toBe('');
    await row(page, 'Noted Person').click();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Contact Submissions' }).click();
    await row(page, 'Noted Person').click();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    await page.reload();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');

    const panel = opened(page, 'Noted Person');
    await panel.getByRole('button', { name: 'Discard' }).click();
    expect(await noteOf(page, 'Noted Person').inputValue()).toBe('');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    expect(await noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    await panel.getByRole('button', { name: 'Save note' }).click();
    await saved(panel);
    await page.reload();
    await expect.poll(() => noteOf(page, 'Noted Person').inputValue()).toBe('Call on Monday');
    expect(await panel.getByText('Unsaved changes').count()).toBe(0);
  });

  test('is not covered by a notice on a phone, and is deleted from the device with the person’s data', async () => {
    await send(site, { fullName: 'Erased Person', email: 'erased@person.example' });
    const page = await openInbox(inboxPath, { device: 'phone' });
    await row(page, 'Erased Person').tap();
    const dialog = page.getByRole('dialog', { name: 'Erased Person' });
    const note = dialog.getByLabel('Private note');
    await note.fill('Has a lawyer');
    await note.evaluate((field) => field.scrollIntoView({ block: 'end' }));
    await dialog.getByRole('button', { name: 'Discard' }).tap();
    const [toast, field] = [await notice(page).boundingBox(), await note.boundingBox()];
    const clear = toast!.y + toast!.height <= field!.y || field!.y + field!.height <= toast!.y;
    expect(clear).toBe(true);
    await notice(page).getByRole('button', { name: 'Close' }).tap();

    const kept = () =>
      page.evaluate(async () => {
        const request = indexedDB.open('admin-notes');
        const database = await new Promise<IDBDatabase>((done) => (request.onsuccess = () => done(request.result)));
        const count = database.transaction('notes').objectStore('notes').count();
        return await new Promise<number>((done) => (count.onsuccess = () => done(count.result)));
      });
    await note.fill('Has a lawyer');
    await expect.poll(kept).toBe(1);
    await dialog.getByRole('button', { name: 'Erase this person’s data…' }).tap();
    await page.getByRole('button', { name: 'Erase permanently' }).tap();
    await notice(page).getByText('Data erased', { exact: true }).waitFor();
    await expect.poll(kept).toBe(0);
  });

  test('does not replace a note that another admin saved, unless the admin chooses to', async () => {
    await send(site, { fullName: 'Shared Person' });
    const [mine, theirs] = [await openInbox(inboxPath, { expected: [answered(409)] }), await openInbox()];
    for (const page of [mine, theirs]) await row(page, 'Shared Person').click();
    await noteOf(theirs, 'Shared Person').fill('They called.');
    await theirs.keyboard.press('Control+Enter');
    await saved(opened(theirs, 'Shared Person'));
    await noteOf(mine, 'Shared Person').fill('I called.');
    await mine.keyboard.press('Control+Enter');
    const panel = opened(mine, 'Shared Person');
    await panel.getByText('Someone else changed this note while you were writing.').waitFor();
    await panel.getByText('They called.').waitFor();
    expect(await noteOf(mine, 'Shared Person').inputValue()).toBe('I called.');
    await panel.getByRole('button', { name: 'Replace their note' }).click();
    await panel.getByRole('alert').waitFor({ state: 'detached' });
    expect(await noteOf(mine, 'Shared Person').inputValue()).toBe('I called.');
  });
});
