import { beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/accessibility.ts';
import { useBrowser } from '../support/browser.ts';
import { type Session, send, signedIn, startSession } from '../support/inbox.ts';
import { useSite } from '../support/site.ts';

const browser = useBrowser();
const site = useSite();
const words = 'An email to the firm could not be delivered.';
let session: Session;
beforeAll(async () => {
  session = await startSession(site);
});

describe('An admin', () => {
  test('sees no banner while the site works', async () => {
    const page = await signedIn(browser, site, session);
    const asked = page.waitForResponse('**/api/health');
    await page.goto('/admin');
    await asked;
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    expect(await page.getByText('Open Site status').count()).toBe(0);
  });

  test('sees on every screen the problem and what to do, and opens the site status', async () => {
    site.mail.fail('refuse-recipients');
    await send(site, { fullName: 'Dana Whitfield' });
    const health = async () => ((await (await fetch(`${site.url}/api/health`)).json()) as { mail: string }).mail;
    await expect.poll(health).toContain(words);
    for (const address of [
      '/admin',
      '/admin?tab=media',
      '/admin?tab=content',
      '/admin?tab=submissions',
      '/admin/settings',
    ]) {
      const page = await signedIn(browser, site, session);
      await page.goto(address);
      await page.getByRole('status').getByText(words).waitFor();
    }
    const page = await signedIn(browser, site, session, { device: 'phone' });
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Open Site status' }).click();
    const status = page.getByRole('region', { name: 'Site status' });
    await status.getByRole('listitem').filter({ hasText: 'Email: not working' }).getByText(words).first().waitFor();
    await expect.poll(() => status.evaluate((panel) => Math.abs(panel.getBoundingClientRect().top))).toBeLessThan(400);
    expect(await faultsOf(page)).toEqual([]);
  });
});
