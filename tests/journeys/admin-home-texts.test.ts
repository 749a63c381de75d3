import { expect, test } from 'vitest';
import { apiPaths } from '../../src/domain/api-paths.ts';
import { adminCall, answered, inbox, signedIn, useSession } from '../support/inbox.ts';
import { useEngine } from '../support/person.ts';
import { useSite } from '../support/site.ts';

const { notice } = inbox;
const browser = useEngine();
const site = useSite();
const session = useSession(site);

test('An admin changes a text of the home page, sees it there, and chooses between two versions', async () => {
  const page = await signedIn(browser, site, session, { expected: [answered(409), /409/] });
  await page.goto('/admin?tab=content');
  await page.getByRole('button', { name: 'Load missing content' }).click();
  await notice(page).getByText('Website content loaded successfully!').waitFor();
  await page.getByRole('link', { name: 'Successful projects' }).click();
  await page.getByLabel('Title').fill('140+');
  await page.getByLabel('Metadata').fill('{a');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Metadata must be valid JSON.').waitFor();
  await page.getByLabel('Metadata').fill('{"a": 1}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await notice(page).getByText('Content updated successfully!').waitFor();
  await page.getByRole('list', { name: 'Sections' }).getByText('140+').waitFor();
  await notice(page).getByText('Visitors see the change within a few seconds.').waitFor();
  await notice(page).getByRole('button', { name: 'View page' }).waitFor();
  await expect.poll(async () => (await fetch(site.url)).text()).toContain('140+');

  await page.getByRole('link', { name: 'About: heading' }).click();
  await page.getByLabel('Title').fill('My heading');
  await adminCall(site, session)(apiPaths.section('about_title'), 'PUT', { title: 'Their heading' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const choice = page.getByRole('dialog', { name: 'Someone else changed this text' });
  await choice.getByRole('region', { name: 'Their version, saved' }).getByText('Their heading').waitFor();
  await choice.getByRole('region', { name: 'Your version, not saved' }).getByText('My heading').waitFor();
  await choice.getByRole('button', { name: 'Save your version' }).click();
  await page.getByRole('list', { name: 'Sections' }).getByText('My heading', { exact: true }).waitFor();
});
