import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { answered, signedIn, useSession } from '../support/inbox.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const session = useSession(site);

const open = async (path: string, options: PageOptions = {}): Promise<Page> => {
  const page = await signedIn(browser, site, session, options);
  await page.goto(path);
  return page;
};
const notice = (page: Page, words: string) => page.locator('[data-toast]').getByText(words, { exact: true });

describe('An admin with the texts of the home page', () => {
  test('is offered unsaved texts after a reload, also if they type another one, until they restore or discard each', async () => {
    const page = await open('/admin?tab=content&section=cta_title');
    const title = page.getByLabel('Title');
    const saved = await title.inputValue();
    const offer = (words: string) => page.getByRole('note').filter({ hasText: words });
    await title.fill('First thought');
    await page.reload();
    await offer('First thought').waitFor();
    expect(await title.inputValue()).toBe(saved);
    await title.fill('Second thought');
    await page.reload();
    await offer('Second thought').waitFor();
    await offer('First thought').getByRole('button', { name: 'Restore' }).click();
    expect(await title.inputValue()).toBe('First thought');
    await offer('Second thought').getByRole('button', { name: 'Discard' }).click();
    await page.reload();
    await offer('First thought').waitFor();
    expect(await offer('Second thought').count()).toBe(0);
    await offer('First thought').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Contact: heading' }).click();
    await title.waitFor();
    expect(await page.getByText('You have unsaved changes').count()).toBe(0);
  });

  test('is offered the newest five of their unsaved texts', async () => {
    const page = await open('/admin?tab=content&section=hero_subtitle');
    const offers = page.getByRole('note').filter({ hasText: 'You have unsaved changes' });
    for (let thought = 1; thought <= 6; thought += 1) {
      await page.getByLabel('Title').fill(`Thought ${thought}`);
      await page.reload();
      await expect.poll(() => offers.count()).toBe(Math.min(thought, 5));
    }
    await offers.filter({ hasText: 'Thought 6' }).waitFor();
    expect(await offers.filter({ hasText: 'Thought 1' }).count()).toBe(0);
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
});
