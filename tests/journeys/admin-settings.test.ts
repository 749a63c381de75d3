import { expect, test } from 'vitest';
import { inbox, signedIn, useSession } from '../support/inbox.ts';
import { useEngine } from '../support/person.ts';
import { useSite } from '../support/site.ts';

const browser = useEngine();
const site = useSite();
const session = useSession(site);

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
  await chosen.getByText('0.00 MB').waitFor();
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

  await panel.getByRole('link', { name: 'Open logo settings' }).click();
  await page.getByText('Manage your website settings and branding').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('link', { name: 'Admin Dashboard' }).click();
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
});
