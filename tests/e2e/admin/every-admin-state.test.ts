import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PostRecord } from '../../../src/domain/posts/post.ts';
import { aPhotograph } from '../../support/samples/files.ts';
import { answered, inboxPath, send, signedIn } from '../../support/samples/inbox.ts';
import { multipart } from '../../support/api/multipart.ts';
import { usePosts, write } from '../../support/samples/post-editor.ts';
import { anApplication, resumeFile } from '../../support/samples/resumes.ts';
import { stateFaults } from '../../support/faults/state-faults.ts';

const { browser, site, session, api, call } = usePosts();
let post: PostRecord;
let file: string;

/** Stores one thing of each kind. */
async function fill(): Promise<void> {
  const content = '<h2>Why</h2><p>Words</p><table><tbody><tr><th>a</th></tr><tr><td>b</td></tr></tbody></table>';
  post = await api.create({ title: `Closing ${'w'.repeat(60)}`, slug: 'closing', content });
  await send(site, { fullName: 'Maximiliane Featherstone', message: `${'w'.repeat(400)} and words` });
  await send(site, { fullName: 'Held Person', website: 'x' });
  const application = await multipart({ ...anApplication({ fullName: 'Mara Quill' }), resume: resumeFile() });
  const applied = await fetch(`${site.url}/api/career-application`, application);
  expect(applied.status).toBe(201);
  const photo = new FormData();
  photo.set('file', new File([await aPhotograph('jpeg')], 'team.jpg'));
  file = (await call('/api/cms/media', 'POST', photo)).id;
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const see = (page: Page, words: string | RegExp) => page.getByText(words).filter({ visible: true }).first().waitFor();
const visit = async (page: Page, address: string, words: string | RegExp) => {
  await page.goto(address);
  await see(page, words);
};
/** Closes the dialog in front. */
const close = async (page: Page, name: string | RegExp) => {
  await page.keyboard.press('Escape');
  await dialog(page, name).waitFor({ state: 'detached' });
};

/** Reaches states one after another in one page, and calls `check` with the name of each. */
type States = (page: Page, check: (state: string) => Promise<void>) => Promise<void>;

const filledStates: Record<string, States> = {
  'The list of posts': async (page, check) => {
    await visit(page, '/admin', /^Closing/);
    await check('the list');
    await press(page, /^Delete “Closing/);
    await dialog(page, 'Delete this post?').waitFor();
    await check('the question before a deletion');
    await close(page, 'Delete this post?');
    await page.context().setOffline(true);
    await press(page, 'Refresh');
    await see(page, 'Couldn’t load the posts');
    await check('a list that could not be loaded');
    await page.context().setOffline(false);
    await page.getByRole('searchbox').fill('nothing at all');
    await page.getByRole('heading', { name: /^No posts match/ }).waitFor();
    await check('a search without results');
  },
  'A post': async (page, check) => {
    await page.goto('/admin');
    await press(page, 'New post');
    await press(page, 'Create Post');
    await see(page, 'Please enter the content.');
    await check('a new post with errors');
    await visit(page, `/admin?post=${post.id}`, 'Words');
    await check('a post');
    await press(page, 'Versions');
    await dialog(page, 'Versions of this post').getByText('Current saved version').waitFor();
    await check('its versions');
    await close(page, 'Versions of this post');
    await press(page, 'Share');
    await press(page, 'Create link');
    await page.getByRole('button', { name: 'Revoke link 1 of 1' }).waitFor();
    await check('its share links');
    await close(page, 'Share a preview');
    await press(page, 'Choose or upload picture');
    await dialog(page, 'Choose a picture').getByText('team.jpg').waitFor();
    await check('the library for a picture');
    await close(page, 'Choose a picture');
    await write(page.getByRole('textbox', { name: 'Content', exact: true }), ' Mine.');
    await api.save(post, { content: '<p>Theirs.</p>' });
    await page.keyboard.press('Control+s');
    await dialog(page, 'Someone else changed this post').waitFor();
    await check('the choice between two versions');
  },
  'The library': async (page, check) => {
    await visit(page, '/admin?tab=media', 'team.jpg');
    await check('the library');
    await press(page, 'Delete team.jpg');
    await dialog(page, 'Delete this file?')
      .getByText(/use this file/)
      .waitFor();
    await check('the question before the deletion of a file');
    await close(page, 'Delete this file?');
    await visit(page, `/admin?tab=media&file=${file}`, '60 × 40 pixels');
    await check('a file');
    await press(page, /^Replace$/);
    await dialog(page, 'Replace this file?').waitFor();
    await check('its replacement');
  },
  'The home texts': async (page, check) => {
    await visit(page, '/admin?tab=content', 'Main heading');
    await check('the list');
    await page.goto('/admin?tab=content&section=stats_projects');
    await page.getByLabel('Metadata').fill('{a');
    await press(page, /^Save$/);
    await see(page, 'Metadata must be valid JSON.');
    await check('a text with an error');
  },
  'The inbox': async (page, check) => {
    await visit(page, inboxPath, 'Maximiliane Featherstone');
    await check('the list');
    await press(page, 'Maximiliane Featherstone');
    await page.getByRole('heading', { level: 2, name: 'Maximiliane Featherstone' }).waitFor();
    await check('an inquiry');
    await press(page, 'Erase this person’s data…');
    await dialog(page, 'Erase this person’s data?').waitFor();
    await check('the erasure of a person');
    await close(page, 'Erase this person’s data?');
    await press(page, /^Quarantine/);
    await press(page, 'Held Person');
    await see(page, 'In quarantine');
    await check('an inquiry in quarantine');
    await visit(page, '/admin?tab=submissions&list=applications', 'Mara Quill');
    await check('the applications');
  },
  'The account': async (page, check) => {
    await visit(page, '/admin?tab=settings', 'Site status');
    await check('the settings');
    const people = page.getByRole('region', { name: 'Admins', exact: true });
    await people.getByLabel('Email address').fill('second@firm.example');
    await people.getByRole('button', { name: 'Send invitation' }).click();
    await see(page, /^By owner@firm.example. The link works until/);
    await check('an invitation');
    const email = await site.mail.waitFor(({ envelope }) => envelope.to.includes('second@firm.example'));
    const link = /\/admin\/set-up#\S+/.exec(email.text ?? '')?.[0] ?? '';
    await press(page, 'Create recovery codes');
    await dialog(page, 'Your recovery codes').waitFor();
    await check('new recovery codes');
    await close(page, 'Your recovery codes');
    await visit(page, link, /^You’re invited/);
    await check('the link of an invitation');
    await visit(page, '/admin/set-up#used', 'This link doesn’t work');
    await check('a link that was used');
    await visit(page, '/admin/settings', 'Manage your website settings and branding');
    await check('the page of the logo');
    await visit(page, inboxPath, 'Maximiliane Featherstone');
    await site.letSignInsAge();
    await press(page, 'Export CSV');
    await dialog(page, 'Confirm it’s you').waitFor();
    await check('the confirmation of a sign-in');
    await close(page, 'Confirm it’s you');
    await page.context().clearCookies();
    await press(page, 'Refresh');
    await dialog(page, 'Sign in again').waitFor();
    await check('the sign-in after a session ended');
    await page.goto('/admin/sign-in');
    await page.getByRole('button', { name: 'Show password' }).waitFor();
    await check('the sign-in');
    await press(page, 'Use a recovery code');
    await see(page, 'Each of your codes works once.');
    await check('the sign-in with a recovery code');
  },
};

const emptyStates: States = async (page, check) => {
  await visit(page, '/admin', 'No blog posts yet');
  await check('the posts');
  await visit(page, '/admin?tab=media', 'No files yet');
  await check('the library');
  await visit(page, inboxPath, /^No inquiries/);
  await check('the inbox');
};

async function faultsIn(reach: States): Promise<string[]> {
  const page = await signedIn(browser, site, session, {
    expected: [answered(401), answered(403), answered(404), answered(409), 'ERR_INTERNET_DISCONNECTED'],
    hasTouch: true,
  });
  const faults: string[] = [];
  await reach(page, async (state) => {
    faults.push(...(await stateFaults(page)).map((fault) => `${state}: ${fault}`));
  });
  return faults;
}

const promise = 'no state has an accessibility fault; each fits every screen and can be used with a thumb';

test(`The empty admin area: ${promise}`, async () => {
  expect(await faultsIn(emptyStates)).toEqual([]);
});

describe('With one thing of each kind', () => {
  beforeAll(fill);
  test.each(Object.entries(filledStates))(`%s: ${promise}`, async (_, reach) => {
    expect(await faultsIn(reach)).toEqual([]);
  });
});
