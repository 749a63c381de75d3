import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { answered, useAdmin } from '../support/inbox.ts';

const { open, call } = useAdmin();
const notice = (page: Page, words: string) => page.locator('[data-toast]').getByText(words, { exact: true });

describe('An admin with the texts of the home page', () => {
  test('continue an unsaved text after a reload, and get it back after Cancel', async () => {
    const page = await open('/admin?tab=content&section=cta_title');
    const title = page.getByLabel('Title');
    const saved = await title.inputValue();
    await title.fill('A thought');
    await page.reload();
    await expect.poll(() => title.inputValue()).toBe('A thought');
    await page.getByText(/^Unsaved changes from/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await notice(page, 'Changes discarded').waitFor();
    await page.getByRole('link', { name: 'Contact: heading' }).click();
    expect(await title.inputValue()).toBe(saved);
    await page.goBack();
    await page.locator('[data-toast]').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => title.inputValue()).toBe('A thought');
    await page.goto('/admin?tab=content');
    await page.getByRole('list', { name: 'Sections' }).getByText('Unsaved changes · yours').waitFor();
  });

  test('are offered an unsaved text if someone saved meanwhile, also if they type another one, until they decide', async () => {
    const page = await open('/admin?tab=content&section=hero_subtitle');
    const title = page.getByLabel('Title');
    const offer = page.getByRole('note').filter({ hasText: 'You have unsaved changes from' });
    await title.fill('First thought');
    await page.getByText(/^Unsaved changes from/).waitFor();
    await call('/api/cms/content/hero_subtitle', 'PUT', { title: 'Theirs' });
    await page.reload();
    await offer.filter({ hasText: 'First thought' }).waitFor();
    expect(await title.inputValue()).toBe('Theirs');
    await title.fill('Second thought');
    await page.reload();
    await expect.poll(() => title.inputValue()).toBe('Second thought');
    await offer.filter({ hasText: 'First thought' }).getByRole('button', { name: 'Use these changes' }).click();
    expect(await title.inputValue()).toBe('First thought');
    expect(await offer.count()).toBe(0);
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
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Written in a hurry');
  });
});
