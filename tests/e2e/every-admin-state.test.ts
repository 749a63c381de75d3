import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { aPhotograph } from '../support/files.ts';
import { answered, cookieOf, inboxPath, send, signedIn, startSession } from '../support/inbox.ts';
import { multipart } from '../support/multipart.ts';
import { type PostsApi, postsApi, write } from '../support/post-editor.ts';
import { anApplication, resumeFile } from '../support/resumes.ts';
import { useSite } from '../support/site.ts';
import { stateFaults } from '../support/state-faults.ts';

const browser = useBrowser();
const site = useSite();
let session: Awaited<ReturnType<typeof startSession>>;
let api: PostsApi;
let post: Awaited<ReturnType<PostsApi['create']>>;
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
  const cookie = cookieOf(session);
  const photo = new File([await aPhotograph('jpeg')], 'team.jpg');
  const sent = await fetch(`${site.url}/api/cms/media`, await multipart({ file: photo }, { cookie, origin: site.url }));
  file = ((await sent.json()) as { data: { id: string } }).data.id;
}

beforeAll(async () => {
  session = await startSession(site);
  api = postsApi(site, session);
});

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().click();
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const see = (page: Page, words: string | RegExp) => page.getByText(words).filter({ visible: true }).first().waitFor();
const visit = async (page: Page, address: string, words: string | RegExp) => {
  await page.goto(address);
  await see(page, words);
};
const edit = (page: Page) => visit(page, `/admin?post=${post.id}`, 'Words');
const openInquiry = async (page: Page) => {
  await visit(page, inboxPath, 'Maximiliane Featherstone');
  await press(page, 'Maximiliane Featherstone');
  await page.getByRole('heading', { level: 2, name: 'Maximiliane Featherstone' }).waitFor();
};

type States = Record<string, (page: Page) => Promise<unknown>>;

const emptyStates: States = {
  'The list without posts': (page) => visit(page, '/admin', 'No blog posts yet'),
  'The library without files': (page) => visit(page, '/admin?tab=media', 'No files yet'),
  'The inbox without inquiries': (page) => visit(page, inboxPath, /^No inquiries/),
};

const filledStates: States = {
  'The list of posts': (page) => visit(page, '/admin', /^Closing/),
  'A search without results': async (page) => {
    await visit(page, '/admin', /^Closing/);
    await page.getByRole('searchbox').fill('nothing at all');
    await page.getByRole('heading', { name: /^No posts match/ }).waitFor();
  },
  'A list that could not be loaded': async (page) => {
    await visit(page, '/admin', /^Closing/);
    await page.context().setOffline(true);
    await press(page, 'Refresh');
    await see(page, 'Couldn’t load the posts');
    await page.context().setOffline(false);
  },
  'The question before a deletion': async (page) => {
    await visit(page, '/admin', /^Closing/);
    await press(page, /^Delete “Closing/);
    await dialog(page, 'Delete this post?').waitFor();
  },
  'A new post with errors': async (page) => {
    await page.goto('/admin?post=new');
    await press(page, 'Create Post');
    await see(page, 'Please enter the content.');
  },
  'A post': edit,
  'The versions of a post': async (page) => {
    await edit(page);
    await press(page, 'Versions');
    await dialog(page, 'Versions of this post').getByText('Current saved version').waitFor();
  },
  'The share links of a post': async (page) => {
    await edit(page);
    await press(page, 'Share');
    await press(page, 'Create link');
    await page.getByRole('button', { name: 'Revoke link 1 of 1' }).waitFor();
  },
  'The library for a picture': async (page) => {
    await edit(page);
    await press(page, 'Choose from library');
    await dialog(page, 'Choose a picture').getByText('team.jpg').waitFor();
  },
  'The choice between two versions': async (page) => {
    await edit(page);
    await write(page.getByRole('textbox', { name: 'Content', exact: true }), ' Mine.');
    await api.save(post, { content: '<p>Theirs.</p>' });
    await page.keyboard.press('Control+s');
    await dialog(page, 'Someone else changed this post').waitFor();
  },
  'The library': (page) => visit(page, '/admin?tab=media', 'team.jpg'),
  'A file': (page) => visit(page, `/admin?tab=media&file=${file}`, '60 × 40 pixels'),
  'The replacement of a file': async (page) => {
    await visit(page, `/admin?tab=media&file=${file}`, '60 × 40 pixels');
    await press(page, /^Replace$/);
    await dialog(page, 'Replace this file?').waitFor();
  },
  'The question before the deletion of a file': async (page) => {
    await visit(page, '/admin?tab=media', 'team.jpg');
    await press(page, 'Delete team.jpg');
    await dialog(page, 'Delete this file?')
      .getByText(/uses this file/)
      .waitFor();
  },
  'The home texts': (page) => visit(page, '/admin?tab=content', 'Main heading'),
  'A home text with an error': async (page) => {
    await page.goto('/admin?tab=content&section=stats_projects');
    await page.getByLabel('Metadata').fill('{a');
    await press(page, /^Save$/);
    await see(page, 'Metadata must be valid JSON.');
  },
  'The inbox': (page) => visit(page, inboxPath, 'Maximiliane Featherstone'),
  'An inquiry': openInquiry,
  'The erasure of a person': async (page) => {
    await openInquiry(page);
    await press(page, 'Erase this person’s data…');
    await dialog(page, 'Erase a person’s data').waitFor();
  },
  'An inquiry in quarantine': async (page) => {
    await visit(page, inboxPath, 'Maximiliane Featherstone');
    await press(page, /^Quarantine/);
    await press(page, 'Held Person');
    await see(page, 'In quarantine');
  },
  'The list of applications': (page) => visit(page, '/admin?tab=submissions&list=applications', 'Mara Quill'),
  'The settings': (page) => visit(page, '/admin?tab=settings', 'Site status'),
  'The page of the logo': (page) => visit(page, '/admin/settings', 'Manage your website settings and branding'),
  'The sign-in': async (page) => {
    await page.context().clearCookies();
    await page.goto('/admin/sign-in');
    await page.getByRole('button', { name: 'Show password' }).waitFor();
  },
  'The sign-in after a session ended': async (page) => {
    await visit(page, inboxPath, 'Maximiliane Featherstone');
    await page.context().clearCookies();
    await press(page, 'Refresh');
    await dialog(page, 'Sign in again').waitFor();
  },
  'The confirmation of a sign-in': async (page) => {
    await visit(page, inboxPath, 'Maximiliane Featherstone');
    await site.letSignInsAge();
    await press(page, 'Export CSV');
    await dialog(page, 'Confirm it’s you').waitFor();
  },
};

const promise = '%s has no accessibility fault, fits every screen, and can be used with a thumb';
async function check(reach: (page: Page) => Promise<unknown>): Promise<void> {
  const page = await signedIn(browser, site, session, {
    reducedMotion: true,
    expected: [answered(401), answered(403), answered(409), 'ERR_INTERNET_DISCONNECTED'],
    context: { storageState: session, hasTouch: true },
  });
  await reach(page);
  expect(await stateFaults(page)).toEqual([]);
}

describe('Before anything is stored', () => {
  test.each(Object.entries(emptyStates))(promise, (_, reach) => check(reach));
});

describe('With one thing of each kind', () => {
  beforeAll(fill);
  test.each(Object.entries(filledStates))(promise, (_, reach) => check(reach));
});
