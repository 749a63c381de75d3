import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { answered, inbox, signIn, startSession } from '../support/inbox.ts';
import { posts, usePosts, visitPosts, write } from '../support/post-editor.ts';

const { dialog, kept, row, saveButton, text } = posts;
const { notice } = inbox;
const { site, session, api, openPosts, openPost } = usePosts();
/**
 * Presses Esc several times while the page is busy, so the page gets all key presses before the browser reports that a
 * dialog was closed. Then waits until the page has been painted, so a dialog that opened again is visible.
 */
async function impatientEsc(page: Page, times: number): Promise<void> {
  const busy = page.evaluate(() => {
    const until = performance.now() + 500;
    while (performance.now() < until);
  });
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Escape')));
  await busy;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

describe('Unsaved text', () => {
  test('survives a reload: it is offered with its time, compared, restored, and removed again', async () => {
    const post = await api.create({ title: 'Reloaded', slug: 'reloaded' });
    const page = await openPost(post.id);
    await write(text(page), ' Then the power went.');
    await kept(page)
      .getByText(/^Unsaved changes. Backed up/)
      .waitFor();
    await page.reload();
    await page.getByText('You have unsaved changes').waitFor();
    expect(await text(page).textContent()).toBe('First words.');
    await page.getByRole('button', { name: 'Compare' }).first().click();
    const compared = page.getByRole('dialog', { name: 'Your unsaved changes' });
    await compared.getByRole('cell', { name: 'First words. Then the power went.' }).waitFor();
    await compared.getByText('One line is different. It’s highlighted.').waitFor();
    await compared.getByRole('button', { name: 'Restore these changes' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. Then the power went.');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    expect(await text(page).textContent()).toBe('First words.');
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    await saveButton(page).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. Then the power went.</p>');
    const drafts = page.waitForResponse((response) => response.url().endsWith('/api/cms/post-drafts'));
    await row(page, 'Reloaded').click();
    await text(page).waitFor();
    const { data } = await (await drafts).json();
    expect(data.filter(({ postId }: { postId: string }) => postId === post.id)).toEqual([]);
  });

  test('of a new post survives Esc, and is offered in another browser too', async () => {
    const page = await openPosts('/admin?post=new');
    await dialog(page).getByLabel('Title').fill('Begun on one machine');
    await page.keyboard.press('Escape');
    const asked = page.getByRole('dialog', { name: 'Close without saving?' });
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await impatientEsc(page, 6);
    expect(await asked.count()).toBe(0);
    await impatientEsc(page, 3);
    expect(await asked.count()).toBe(1);
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    expect(await dialog(page).getByLabel('Title').inputValue()).toBe('Begun on one machine');
    await page.keyboard.press('Escape');
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    await asked.getByRole('button', { name: 'Keep changes and close' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    const elsewhere = await openPosts('/admin?post=new');
    await elsewhere.getByText('“Begun on one machine”').waitFor();
    expect(await dialog(elsewhere).getByLabel('Title').inputValue()).toBe('');
    await elsewhere.getByRole('button', { name: 'Discard' }).click();
    await notice(elsewhere).getByText('Changes discarded').waitFor();
  });

  test('of a new post is offered once, however often it is restored, and not after the post is created', async () => {
    const page = await openPosts('/admin?post=new');
    const title = dialog(page).getByLabel('Title');
    const offers = dialog(page).getByRole('button', { name: 'Restore', exact: true });
    const anew = async () => {
      await kept(page)
        .getByText(/^Unsaved changes. Backed up to the server/)
        .waitFor();
      await page.reload();
      await offers.first().waitFor();
    };
    // In a new post the title has the focus.
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'title');
    await page.keyboard.type('Put');
    await anew();
    for (const more of [' back', ' again']) {
      expect(await offers.count()).toBe(1);
      await offers.click();
      await title.press('End');
      await title.pressSequentially(more);
      await anew();
    }
    expect(await offers.count()).toBe(1);
    await offers.click();
    expect(await title.inputValue()).toBe('Put back again');
    await text(page).click();
    await page.keyboard.type('Words.');
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    // Another draft shows that the dialog has found all drafts.
    const another = { data: { title: 'Another draft' }, headers: { origin: site.url } };
    await page.request.put('/api/cms/post-drafts/another', another);
    await page.getByRole('button', { name: 'New post' }).click();
    await page.getByText('“Another draft”').waitFor();
    expect(await offers.count()).toBe(1);
    await page.getByRole('button', { name: 'Discard' }).click();
    await notice(page).getByText('Changes discarded').waitFor();
  });

  test('is not offered to another admin on the same computer, and is offered when its author returns', async () => {
    const page = await openPosts('/admin?post=new');
    await dialog(page).getByLabel('Title').fill('For my eyes');
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    const browserContext = page.context();
    const colleague = await startSession(site, await site.addAdmin('colleague@firm.example'));
    await browserContext.addCookies(colleague.cookies);
    await page.reload();
    await page.getByText('colleague@firm.example').waitFor();
    await dialog(page).getByLabel('Title').fill('The colleague writes');
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    expect(await page.getByText('“For my eyes”').count()).toBe(0);

    await browserContext.addCookies(session.cookies);
    await page.reload();
    await page.getByText('“For my eyes”').waitFor();
    expect(await page.getByText('“The colleague writes”').count()).toBe(0);
  });

  test('is stored on the device without a connection, as its status says, and is sent to the server later', async () => {
    const post = await api.create({ title: 'In a tunnel', slug: 'tunnel' });
    const page = await openPost(post.id, { expected: ['ERR_INTERNET_DISCONNECTED'] });
    await page.context().setOffline(true);
    await write(text(page), ' Underground.');
    await kept(page).getByText('No connection. Your unsaved changes are backed up on this device.').waitFor();
    await saveButton(page).click();
    await notice(page).getByText('Failed to update blog post').waitFor();
    expect(await text(page).textContent()).toBe('First words. Underground.');
    await page.context().setOffline(false);
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    await saveButton(page).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
  });

  test('stays after the session ends: the admin signs in on the same screen, and nothing is missing', async () => {
    const post = await api.create({ title: 'Long lunch', slug: 'lunch' });
    const page = await openPost(post.id, { expected: [answered(401)] });
    await page.context().clearCookies();
    await write(text(page), ' After lunch.');
    await kept(page).getByText('Your session has ended. Your unsaved changes are backed up on this device.').waitFor();
    await kept(page).getByRole('button', { name: 'Sign in' }).click();
    await signIn(site, page.getByRole('dialog', { name: 'Sign in again' }));
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    await page.context().clearCookies();
    await saveButton(page).click();
    await signIn(site, page.getByRole('dialog', { name: 'Sign in again' }));
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. After lunch.</p>');
  });
});

describe('Two people who edit the same post', () => {
  test('see both texts side by side, and the second one deliberately saves over the first', async () => {
    const post = await api.create({ title: 'Shared', slug: 'shared' });
    const page = await openPost(post.id, { expected: [answered(409)] });
    await write(text(page), ' Mine.');
    await api.save(post, { content: '<p>First words. Theirs.</p>' });
    await saveButton(page).click();
    const choice = page.getByRole('dialog', { name: 'Someone else changed this post' });
    await choice.getByRole('cell', { name: 'First words. Mine.' }).waitFor();
    await choice.getByRole('cell', { name: 'First words. Theirs.' }).waitFor();
    await choice.getByRole('button', { name: 'Save your version' }).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. Mine.</p>');
  });

  test('can use the other person’s text, and still go back to their own', async () => {
    const post = await api.create({ title: 'Given way', slug: 'given-way' });
    const page = await openPost(post.id, { expected: [answered(409)] });
    await write(text(page), ' Mine.');
    await api.save(post, { content: '<p>Theirs.</p>' });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Use their version' }).click();
    expect(await text(page).textContent()).toBe('Theirs.');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    expect(await text(page).textContent()).toBe('First words. Mine.');
  });

  test('can be one person in two tabs, and each tab learns about the other', async () => {
    const post = await api.create({ title: 'Twice open', slug: 'twice-open' });
    const page = await openPost(post.id);
    await write(text(page), ' Here.');
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    const other = await page.context().newPage();
    const drafts = other.waitForResponse((response) => response.url().endsWith('/api/cms/post-drafts'));
    await visitPosts(other, `${site.url}/admin?post=${post.id}`);
    await page.getByText('This post is open in another tab').waitFor();
    await other.getByText('This post is open in another tab').waitFor();
    await drafts;
    await write(text(other), ' There.');
    await other.keyboard.press('Control+s');
    await notice(other).getByText('Blog post updated successfully!').waitFor();
    expect(await other.getByText('You have unsaved changes').count()).toBe(0);
    const choice = page.getByRole('dialog', { name: 'Someone else changed this post' });
    await choice.getByRole('cell', { name: 'First words. There.' }).waitFor();
  });
});

describe('The versions of a post', () => {
  test('can be opened by keyboard, compared with the form, put into the form, and removed again; the post waits for a save', async () => {
    const post = await api.create({ title: 'Twice told', slug: 'twice-told', content: '<p>As it was.</p>' });
    const second = await api.save(post, { content: '<p>As it became.</p>', status: 'published' });
    const page = await openPost(post.id);
    await write(text(page), ' And is.');
    const open = dialog(page).getByRole('button', { name: 'Versions' });
    await open.focus();
    await page.keyboard.press('Enter');
    const versions = page.getByRole('dialog', { name: 'Versions of this post' });
    const [latest, first] = [versions.getByRole('radio').nth(0), versions.getByRole('radio').nth(1)];
    await versions.getByRole('cell', { name: 'As it was.' }).waitFor();
    expect(await first.isChecked()).toBe(true);
    expect(await versions.getByText(site.admin.email).count()).toBe(2);

    await first.focus();
    await page.keyboard.press('ArrowUp');
    expect(await latest.isChecked()).toBe(true);
    await versions.getByRole('cell', { name: 'As it became.', exact: true }).waitFor();
    await versions.getByRole('cell', { name: 'As it became. And is.' }).waitFor();
    await versions.getByText('One line is different. It’s highlighted.').waitFor();
    await page.keyboard.press('ArrowDown');
    await versions.getByRole('cell', { name: 'As it was.' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await notice(page)
      .getByText(/^You loaded the version of .+ Save the post to keep it$/)
      .waitFor();
    expect(await text(page).textContent()).toBe('As it was.');
    // Restoring an old draft does not unpublish a post.
    expect(await dialog(page).getByLabel('Status').inputValue()).toBe('published');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    expect(await text(page).textContent()).toBe('As it became. And is.');
    expect(await api.read(post.id)).toEqual(second);

    await open.click();
    await versions.getByRole('button', { name: 'Restore this version' }).click();
    await page.keyboard.press('Control+s');
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect(await api.read(post.id)).toMatchObject({ content: '<p>As it was.</p>', status: 'published', revision: 3 });
    await open.click();
    await versions.getByText('Current saved version').waitFor();
    expect(await versions.getByRole('radio').count()).toBe(3);
  });

  test('fit a phone, and show an error if they cannot be loaded', async () => {
    let post = await api.create({ title: 'On the train', slug: 'train' });
    for (const title of ['Train', 'Trains', 'W'.repeat(70)]) post = await api.save(post, { title });
    const page = await openPost(post.id, { device: 'phone', expected: ['ERR_INTERNET_DISCONNECTED'] });
    await page.context().setOffline(true);
    await dialog(page).getByRole('button', { name: 'Versions' }).tap();
    const versions = page.getByRole('dialog', { name: 'Versions of this post' });
    await versions.getByText('Couldn’t load the versions').waitFor();
    await page.context().setOffline(false);
    await versions.getByRole('button', { name: 'Try again' }).tap();
    await versions.getByText('“Trains”').tap();
    await versions.getByRole('cell', { name: 'Title: Trains', exact: true }).waitFor();
    const tooWide = await page.evaluate(() =>
      [...document.querySelectorAll('dialog, .pane-body, .version-list')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map(({ className }) => className),
    );
    expect(tooWide).toEqual([]);
    await versions.getByRole('button', { name: 'Restore this version' }).tap();
    expect(await dialog(page).getByLabel('Title').inputValue()).toBe('Trains');
  });

  test('do not exist until the post is stored', async () => {
    const page = await openPosts('/admin?post=new');
    expect(await dialog(page).getByRole('button', { name: 'Versions' }).count()).toBe(0);
  });
});
