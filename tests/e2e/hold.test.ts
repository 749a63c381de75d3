import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { inbox, signedIn, useSession, visitInbox } from '../support/inbox.ts';
import { multipart } from '../support/multipart.ts';
import { anApplication, resumeFile } from '../support/resumes.ts';
import { useSite } from '../support/site.ts';

const { opened, notice } = inbox;
const browser = useBrowser();
const site = useSite();
const session = useSession(site);
const path = '/admin?tab=submissions&list=applications';

async function apply(fullName: string): Promise<void> {
  const email = `${fullName.toLowerCase().replace(' ', '.')}@quill.example`;
  const { body, headers } = await multipart({ ...anApplication({ fullName, email }), resume: resumeFile() });
  const answer = await fetch(`${site.url}/api/career-application`, { method: 'POST', body, headers });
  expect(answer.status).toBe(201);
}

describe('An admin', () => {
  test('keeps an application with a reason, sees it marked in the list, and allows its deletion', async () => {
    await apply('Kept Person');
    const page = await signedIn(browser, site, session);
    await visitInbox(page, path);
    const row = page
      .getByRole('table', { name: 'Applications' })
      .locator('tbody tr')
      .filter({ hasText: 'Kept Person' });
    await row.click();
    const panel = opened(page, 'Kept Person');
    await panel.getByText(/^This application and its resume will be deleted on \w{3} \d+, \d{4}/).waitFor();
    await panel.getByRole('button', { name: 'Keep past deletion date…' }).click();
    const reason = panel.getByLabel('Reason to keep this application');
    expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true);
    await reason.fill('A claim was announced.');
    await panel.getByRole('button', { name: 'Keep past deletion date', exact: true }).click();
    await notice(page).getByText('Kept past deletion date').waitFor();
    await panel.getByText('A claim was announced.').waitFor();
    await panel.getByText(/^owner@firm\.example chose this on/).waitFor();
    await row.getByText('Kept', { exact: true }).waitFor();

    await panel.getByRole('button', { name: 'Erase this person’s data…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase a person’s data' });
    await dialog.getByText('An application is kept past its deletion date').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await panel.getByRole('button', { name: 'Allow deletion' }).click();
    await notice(page).getByText('Deletion allowed').waitFor();
    await panel.getByRole('button', { name: 'Keep past deletion date…' }).waitFor();
    await row.getByText('Kept', { exact: true }).waitFor({ state: 'detached' });
  });

  test('filters the activity record by kind', async () => {
    for (let n = 0; n < 2; n += 1) {
      await fetch(`${site.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
        body: JSON.stringify(site.admin),
      });
    }
    const page = await signedIn(browser, site, session);
    await page.goto('/admin?tab=settings');
    const activity = page.getByRole('region', { name: 'Activity', exact: true });
    await activity.getByRole('button', { name: 'Sign-ins' }).click();
    await activity
      .getByText(/owner@firm\.example signed in/)
      .first()
      .waitFor();
    await activity.getByRole('button', { name: 'Automatic' }).click();
    await activity.getByText('No activity yet.').waitFor();
  });
});
