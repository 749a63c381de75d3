import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { hold } from '../../support/browser/browser.ts';
import { answered, cookieOf, inbox, useAdmin } from '../../support/samples/inbox.ts';

const { browser, site, session, open } = useAdmin();
const jane = 'jane@firm.example';
const password = 'four unrelated words here';
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, name: string) => panel(page, 'Admins').getByRole('listitem').filter({ hasText: name });
const notice = (page: Page, words: string) => inbox.notice(page).getByText(words, { exact: true });
const isFocused = (section: Locator) =>
  expect.poll(() => section.evaluate((element) => element === document.activeElement)).toBe(true);
const visitor = () => browser.newPage({ baseURL: site.url, expected: [400, 401, 404, 503].map(answered) });
const dashboard = (page: Page) => page.getByRole('tab', { name: 'Contact Submissions' }).waitFor();

test('An admin invites a colleague, who sets a password with the link of the email and is signed in until the admin removes them', async () => {
  const page = await open('/admin?tab=settings');
  const people = panel(page, 'Admins');
  await row(page, site.admin.email).getByText('You', { exact: true }).waitFor();
  expect(await people.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  await people.getByLabel('Email address').fill('jane');
  await page.keyboard.press('Enter');
  await people.getByText('Please enter a valid email address.').waitFor();
  await people.getByLabel('Email address').fill(jane);
  await page.keyboard.press('Enter');
  await notice(page, 'Invitation sent').waitFor();
  await row(page, jane).getByText('Invited', { exact: true }).waitFor();
  const email = await site.mail.waitFor(({ envelope }) => envelope.to.includes(jane));
  // The site's host name, because passkeys do not work with an IP address.
  const link = `http://localhost:${new URL(site.url).port}${/\/admin\/set-up#\S+/.exec(email.text ?? '')?.[0]}`;

  const colleague = await visitor();
  await colleague.goto(link);
  await colleague.getByText(`You’re invited to the admin area as ${jane}.`).waitFor();
  await colleague.getByLabel('New password', { exact: true }).fill('password123456');
  await colleague.keyboard.press('Enter');
  await colleague.getByText('This password is too easy to guess.').waitFor();
  const optionsPath = '**/api/login/set-up/options';
  await colleague.route(optionsPath, (route) => route.fulfill({ status: 503, json: { message: 'Back soon.' } }), {
    times: 1,
  });
  await colleague.getByRole('button', { name: 'Create a passkey instead' }).click();
  await colleague.getByRole('alert').getByText('Back soon.').waitFor();
  const refusal = { message: 'The link is too long.', errors: { token: 'The link is too long.' } };
  await colleague.route('**/api/login/set-up', (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 });
  await colleague.getByLabel('New password', { exact: true }).fill(password);
  await colleague.keyboard.press('Enter');
  await colleague.getByRole('alert').getByText('The link is too long.').waitFor();
  const answer = await hold(colleague, '**/api/login/set-up');
  await colleague.getByLabel('New password', { exact: true }).fill(password);
  await colleague.keyboard.press('Enter');
  await colleague.getByRole('button', { name: 'Signing in…' }).waitFor();
  expect(await colleague.getByRole('button', { name: 'Create a passkey instead' }).isDisabled()).toBe(true);
  answer();
  await dashboard(colleague);
  expect(new URL(colleague.url()).pathname).toBe('/admin');

  await page.reload();
  await row(page, jane).getByText('Signs in with a password. Last signed in').waitFor();
  await row(page, jane).getByRole('button').click();
  await page.getByRole('dialog', { name: 'Remove this admin?' }).getByRole('button', { name: 'Remove admin' }).click();
  await notice(page, 'Admin removed').waitFor();
  await row(page, jane).waitFor({ state: 'detached' });
  await isFocused(panel(page, 'Admins'));
  await panel(page, 'Activity')
    .getByRole('listitem')
    .filter({ hasText: `removed the admin: ${jane}` })
    .waitFor();

  await colleague.goto(new URL('/admin', link).href);
  await colleague.waitForURL('**/admin/sign-in');
  await colleague.goto(link);
  await colleague.getByText('This link doesn’t work').waitFor();
  await colleague.getByText(/^The link is incomplete, expired, already used/).waitFor();
  await colleague.getByRole('link', { name: 'Sign in' }).click();
  await colleague.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('An admin withdraws an invitation, and copies the link if the mail server refuses the email', async () => {
  const page = await open('/admin?tab=settings');
  site.mail.fail('refuse-recipients');
  await panel(page, 'Admins').getByLabel('Email address').fill('far@firm.example');
  await page.keyboard.press('Enter');
  await page.getByText('The site couldn’t email this invitation').waitFor();
  const link = await panel(page, 'Admins').locator('code').innerText();
  site.mail.fail(null);
  expect(link).toMatch(new RegExp(`^${site.url}/admin/set-up#`));
  await page.getByRole('button', { name: 'Withdraw invitation: far@firm.example' }).click();
  await notice(page, 'Invitation withdrawn').waitFor();
  await row(page, 'far@firm.example').waitFor({ state: 'detached' });
  await panel(page, 'Admins').locator('code').waitFor({ state: 'detached' });
  await isFocused(panel(page, 'Admins'));
  await panel(page, 'Admins').getByLabel('Email address').fill('far@firm.example');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await notice(page, 'Invitation sent').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Send again to far@firm.example' }).click();
  await notice(page, 'Invitation sent').waitFor();
  // A success could cover the error on a phone.
  site.mail.fail('refuse-recipients', 1);
  await page.getByRole('button', { name: 'Send again to far@firm.example' }).click();
  await page.getByText('The site couldn’t email this invitation').waitFor();
  expect(await notice(page, 'Invitation sent').count()).toBe(0);
});

test('An admin who lost everything but paper signs in once with a recovery code, and then sets a password', async () => {
  const page = await open('/admin?tab=settings');
  const panelOfCodes = panel(page, 'Recovery codes');
  await panelOfCodes.getByText('You have no recovery codes.').waitFor();
  await panelOfCodes.getByRole('button', { name: 'Create recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  await dialog.waitFor();
  const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.emulateMedia({ media: 'print' });
  expect(await dialog.getByText(codes[0] ?? '').isVisible()).toBe(true);
  const address = `${new URL(site.url).host}/admin/sign-in`;
  expect(await dialog.getByText(`Recovery codes for ${site.admin.email} at ${address}`).isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Admin Dashboard' }).isVisible()).toBe(false);
  expect(/\/Count (\d+)/.exec((await page.pdf()).toString('latin1'))?.[1]).toBe('1');
  await page.emulateMedia({ media: null });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy codes' }).click();
  await notice(page, 'Copied the recovery codes').waitFor();
  expect(
    await inbox
      .notice(page)
      .getByText(codes[0] ?? '')
      .count(),
  ).toBe(0);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  await page.keyboard.press('Escape');
  await panelOfCodes.getByText('10 of 10 codes left.').waitFor();
  await panelOfCodes.getByRole('button', { name: 'Replace recovery codes' }).click();
  const question = page.getByRole('dialog', { name: 'Replace your recovery codes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await dialog.count()).toBe(0);

  const other = await visitor();
  const recover = async () => {
    await other.goto('/admin/sign-in');
    await other.getByRole('button', { name: 'Show password' }).waitFor();
    await other.getByLabel('Email').fill(site.admin.email);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    expect(await other.getByLabel('Email').inputValue()).toBe(site.admin.email);
    await other.getByLabel('Recovery code').fill(codes[0] ?? '');
    await other.keyboard.press('Enter');
  };
  await recover();
  await other.getByText(`You’re signed in as ${site.admin.email}`).waitFor();
  await other.getByRole('link', { name: 'Continue without a new password' }).click();
  await dashboard(other);
  await other.goBack();
  await other.getByLabel('New password', { exact: true }).fill(password);
  await other.keyboard.press('Enter');
  await dashboard(other);
  const status = await fetch(`${site.url}/api/auth/status`, { headers: { cookie: cookieOf(session) } });
  expect(status.status).toBe(401);
  await other.context().clearCookies();
  await recover();
  await other.getByText('The email address or recovery code is incorrect, or the code was already used.').waitFor();
});

describe('On a site with an OpenID Connect provider', () => {
  const company = useAdmin({
    OIDC_ISSUER: 'https://accounts.firm.example',
    OIDC_CLIENT_ID: 'site',
    OIDC_ALLOWED_EMAILS: '@firm.example',
  });

  test('an admin who removes a colleague reads that a company account lets the colleague in again', async () => {
    await company.site.addAdmin(jane);
    const page = await company.open('/admin?tab=settings');
    await page.getByRole('button', { name: `Remove ${jane}` }).click();
    const question = page.getByRole('dialog', { name: 'Remove this admin?' });
    await question.getByText('This person can become an admin again').waitFor();
    expect(await question.getByText('can no longer sign in').count()).toBe(0);
  });

  test('an admin who signed out finds the way to sign in with the company account', async () => {
    const page = await company.open('/admin');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    const link = page.getByRole('link', { name: 'Sign in with your company account' }).filter({ visible: true });
    expect(await link.getAttribute('href')).toBe('/api/login');
  });
});
