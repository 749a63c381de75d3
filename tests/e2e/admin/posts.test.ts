import { join } from 'node:path';
import type { Page, Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openInThisThread } from '../../../host/data/sqlite.ts';
import { sql } from '../../../netlify/server/db/database.ts';
import { hold } from '../../support/browser/browser.ts';
import { answered, inbox, signIn, signedIn, startSession } from '../../support/samples/inbox.ts';
import { posts, usePosts, visitPosts, write } from '../../support/samples/post-editor.ts';

const { descriptionOf, dialog, focusedName, kept, row, rows, saveButton, text } = posts;
const { notice } = inbox;
const { browser, site, session, call, api, openPosts, openNewPost, openPost } = usePosts();
const losAngeles = { timezoneId: 'America/Los_Angeles' };

const waitForBackup = (page: Page) =>
  kept(page)
    .getByText(/^Unsaved changes, last edited/)
    .waitFor();

const closeButton = (page: Page) => dialog(page).getByRole('button', { name: 'Close' }).first();

test('An admin who writes a post is offered a free slug if another post has the slug, and continues with the post that Ctrl+S creates', async () => {
  await api.create({ title: 'Taken', slug: 'taken' });
  const page = await openNewPost({ expected: [answered(409)] });
  expect(await dialog(page).getByRole('button', { name: 'Versions' }).count()).toBe(0);
  await dialog(page).getByLabel('Title').fill('Taken');
  await page.keyboard.press('Control+s');
  await expect.poll(() => descriptionOf(text(page))).toContain('Please');
  expect(await text(page).getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => text(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await text(page).click();
  await page.keyboard.type('One.');
  await page.keyboard.press('Control+s');
  await expect.poll(() => descriptionOf(dialog(page).getByLabel('Slug'))).toContain('"taken-2" is free.');
  await notice(page).getByText('Failed to create blog post').waitFor();
  await dialog(page).getByRole('button', { name: 'Use “taken-2”' }).click();
  await text(page).press('Control+End');
  await page.keyboard.press('Control+s');
  await notice(page).getByText('Blog post created successfully!').waitFor();
  await page.getByRole('dialog', { name: 'Edit Blog Post' }).waitFor();
  await page.keyboard.type(' Two.');
  await page.keyboard.press('Control+s');
  await notice(page).getByText('Blog post updated successfully!').waitFor();
  await kept(page).getByText('No changes to save').waitFor();
  // The notice does not cover the status line.
  await kept(page).click({ trial: true });
  const contents = (await api.list('taken')).map(({ slug, content }) => [slug, content]);
  expect(Object.fromEntries(contents)).toEqual({ 'taken-2': '<p>One. Two.</p>', taken: '<p>First words.</p>' });
});

test('A new post is created once, although the response to the first attempt was lost', async () => {
  const page = await openNewPost({ expected: ['ERR_FAILED'] });
  await dialog(page).getByLabel('Title').fill('Lost response');
  await write(text(page), 'Words.');
  const drop = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/api/cms/blog-posts', drop, { times: 1 });
  await page.keyboard.press('Control+s');
  await notice(page).getByText('Failed to create blog post').waitFor();
  await page.keyboard.press('Control+s');
  await notice(page).getByText('Blog post created successfully!').waitFor();
  // Esc in a notice closes only the notice.
  await notice(page).getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await notice(page).waitFor({ state: 'detached' });
  expect(await dialog(page).isVisible()).toBe(true);
  expect(await api.list('lost response')).toHaveLength(1);
});

test('An admin who writes a post schedules it by keyboard for a time in the future, also while clocks change, publishes it now, and keeps or changes its date', async () => {
  const page = await openNewPost({ ...losAngeles, expected: [answered(400)] });
  const field = dialog(page).getByLabel('Publish at');
  const status = dialog(page).getByLabel('Status');
  await dialog(page).getByLabel('Title').fill('At its hour');
  await text(page).click();
  await page.keyboard.type('Not yet.');
  await status.press('ArrowDown');
  await dialog(page).getByText('Time zone: Pacific Time.').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => focusedName(page)).toBe('publishAt');
  await page.keyboard.type('0314');
  await page.keyboard.press('Control+s');
  await expect.poll(() => descriptionOf(field)).toContain('Please enter the date and the time.');
  await field.fill('2020-01-01T10:00');
  await dialog(page).getByText('This time has passed. Choose a later time.').waitFor();
  await page.keyboard.press('Control+s');
  await expect.poll(() => descriptionOf(field)).toContain('This time has passed.');
  await expect.poll(() => focusedName(page)).toBe('publishAt');
  expect(await text(page).textContent()).toBe('Not yet.');
  expect(await api.list('hour')).toEqual([]);

  // 2:30 a.m. does not exist on this day, because clocks skip an hour. The site uses 3:30 a.m.
  await field.blur();
  await field.focus();
  await page.keyboard.type('03142060');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('0230AM');
  await dialog(page).getByText('The site will publish the post on Mar 14, 2060 3:30 AM PDT.').waitFor();
  expect(await field.inputValue()).toBe('2060-03-14T03:30');
  await page.keyboard.press('Control+s');
  await notice(page).getByText('The site will publish the post on Mar 14, 2060 3:30 AM PDT.').waitFor();
  await kept(page).getByText('No changes to save').waitFor();
  const { id, ...stored } = (await api.list('hour'))[0]!;
  expect(stored).toMatchObject({ status: 'draft', publishAt: '2060-03-14T10:30:00.000Z' });

  // 1:30 a.m. occurs twice on this day. The site uses the first.
  await field.fill('2060-11-07T01:30');
  await dialog(page).getByText('Nov 7, 2060 1:30 AM PDT').waitFor();
  await saveButton(page).press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await row(page, 'At its hour').getByText('Nov 7, 2060 1:30 AM PDT').waitFor();
  expect((await api.read(id)).publishAt).toBe('2060-11-07T08:30:00.000Z');

  await row(page, 'At its hour').click();
  await field.fill('2061-07-01T10:00');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('2061-07-01T10:00');
  const save = async () => {
    await page.keyboard.press('Control+s');
    await kept(page).getByText('No changes to save').waitFor();
    return api.read(id);
  };
  await status.selectOption('Draft');
  expect(await field.count()).toBe(0);
  expect((await save()).publishAt).toBeNull();
  await status.selectOption('Scheduled');
  expect(await field.inputValue()).toBe('2061-07-01T10:00');
  await status.selectOption('Published');
  await dialog(page).getByText('Saving publishes the post now, not on Jul 1, 2061 10:00 AM PDT.').waitFor();
  expect(await field.count()).toBe(0);
  expect(await save()).toMatchObject({ status: 'published', publishAt: null, publishedAt: expect.any(String) });

  const published = '2025-10-03T18:00:00.000Z';
  const database = openInThisThread(join(site.dataDirectory, 'site.db'), { lockWaitMs: 10_000 });
  await database.write(sql`UPDATE posts SET published_at = ${published} WHERE id = ${id}`);
  database.close();
  await page.reload();
  const dateAfter = async (words: string) => {
    await write(text(page), words);
    return (await save()).publishedAt;
  };
  const keep = dialog(page).getByLabel('Keep the publication date Oct 3, 2025');
  await expect.poll(() => descriptionOf(status)).toMatch(/^Visitors can read this post\. .*date to today\.$/);
  await keep.check();
  await expect.poll(() => descriptionOf(status)).toMatch(/keeps the date\.$/);
  expect(await dateAfter(' A typo less.')).toBe(published);
  expect(await keep.isChecked()).toBe(false);
  expect(await dateAfter(' News.')).not.toBe(published);
  await dateAfter(' And more.');
  await dialog(page).getByText('The post’s date is now').waitFor();
  await dialog(page).getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: /^Revoke link/ }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Restore the date Oct 3, 2025' }).click();
  await notice(page).getByText('Date restored: Oct 3, 2025').waitFor();
  expect((await api.read(id)).publishedAt).toBe(published);
  await keep.check();
  expect(await dateAfter(' The end.')).toBe(published);
});

describe('Unsaved text', () => {
  const unsavedPosts = (page: Page) => page.getByRole('list', { name: 'Unsaved posts' });

  test('of a new post survives Esc, is above the drafts, and continues in another browser until it is discarded', async () => {
    const page = await openNewPost();
    await dialog(page).getByLabel('Title').fill('Begun on one machine');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    const unsaved = unsavedPosts(page).getByText(/Begun on one machine.*Unsaved post, last edited/);
    await unsaved.waitFor();

    // Earlier versions of this site left unsaved text in these databases of the browser.
    const elsewhere = await signedIn(browser, site, session);
    await elsewhere.goto('/robots.txt');
    const databases = () => elsewhere.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    await elsewhere.evaluate(() => void ['admin-writing', 'admin-notes'].map((name) => indexedDB.open(name)));
    await expect.poll(databases).toHaveLength(2);
    await visitPosts(elsewhere);
    await expect.poll(databases).toEqual([]);
    const title = dialog(elsewhere).getByLabel('Title');
    await unsavedPosts(elsewhere).getByRole('link', { name: 'Begun on one machine' }).click();
    await expect.poll(() => title.inputValue()).toBe('Begun on one machine');
    expect(await dialog(elsewhere).getByLabel('Slug').inputValue()).toBe('begun-on-one-machine');
    await waitForBackup(elsewhere);
    await kept(elsewhere).getByRole('button', { name: 'Discard changes' }).click();
    expect(await title.inputValue()).toBe('');
    await notice(elsewhere).getByRole('button', { name: 'Undo' }).click();
    expect(await title.inputValue()).toBe('Begun on one machine');
    await kept(elsewhere).getByRole('button', { name: 'Discard changes' }).click();
    await elsewhere.keyboard.press('Escape');
    await dialog(elsewhere).waitFor({ state: 'detached' });
    await unsavedPosts(elsewhere).waitFor({ state: 'detached' });
  });

  test('is only offered to a colleague and after a save of someone else; two admins who save see both texts', async () => {
    const post = await api.create({ title: 'Begun by one', slug: 'begun' });
    const page = await openPost(post.id, { expected: [answered(409), /409/] });
    const [preview] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).getByRole('button', { name: 'Preview' }).click(),
    ]);
    await preview.getByText('First words.').waitFor();
    expect(await call(`/api/cms/unsaved/post/${post.id}`)).toBeNull();
    await write(text(page), ' Mine.');
    await waitForBackup(page);
    await closeButton(page).click();
    await row(page, 'Begun by one').getByText('Unsaved changes by you').waitFor();

    const colleague = await startSession(site, await site.addAdmin('colleague@firm.example'));
    await page.context().addCookies(colleague.cookies);
    await page.goto(`/admin?post=${post.id}`);
    const offer = dialog(page)
      .getByRole('note')
      .filter({ hasText: `${site.admin.email} has unsaved changes` });
    await offer.waitFor();
    expect(await text(page).textContent()).toBe('First words.');
    await offer.getByRole('button', { name: 'Use these changes' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. Mine.');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words.');
    await offer.getByRole('button', { name: 'Dismiss' }).click();

    const theirs = await api.save(post, { content: '<p>First words. Theirs.</p>' });
    await page.context().addCookies(session.cookies);
    await page.reload();
    await dialog(page)
      .getByText(/or before someone saved a newer version. They are not shown below/)
      .waitFor();
    expect(await text(page).textContent()).toBe('First words. Theirs.');
    await dialog(page).getByRole('button', { name: 'Use these changes' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. Mine.');
    await page.keyboard.press('Control+s');
    const choice = page.getByRole('dialog', { name: 'Someone else changed this post' });
    const theirText = choice.getByRole('region', { name: 'Their version, saved' });
    await choice.getByRole('region', { name: 'Your version, not saved' }).getByText('First words. Mine.').waitFor();
    await theirText.getByText('First words. Theirs.').waitFor();
    await choice.getByRole('button', { name: 'Use their version' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. Theirs.');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. Mine.');
    await api.save(theirs, { content: '<p>Theirs again.</p>' });
    await saveButton(page).click();
    await theirText.getByText('Theirs again.').waitFor();
    await choice.getByRole('button', { name: 'Save your version' }).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. Mine.</p>');
  });

  test('in one tab stays while another tab writes and saves the same post', async () => {
    const post = await api.create({ title: 'Open twice', slug: 'open-twice' });
    const page = await openPost(post.id, { expected: [answered(409), /409/] });
    const other = await page.context().newPage();
    await visitPosts(other, `/admin?post=${post.id}`);
    await write(text(page), ' Of the first tab.');
    await waitForBackup(page);
    await write(text(other), ' Of the second tab.');
    await waitForBackup(other);
    await saveButton(other).click();
    await notice(other).getByText('Blog post updated successfully!').waitFor();
    await waitForBackup(page);
    await page.goto('about:blank');
    await visitPosts(page, `/admin?post=${post.id}`);
    await dialog(page).getByRole('button', { name: 'Use these changes' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. Of the first tab.');
  });

  test('of two computers is kept, and the admin is offered the text of the other one, until they discard both', async () => {
    const post = await api.create({ title: 'Two desks', slug: 'two-desks' });
    const expected = [answered(409), /409/];
    const [page, other] = [await openPost(post.id, { expected }), await openPost(post.id, { expected })];
    const offer = (tab: Page) =>
      dialog(tab).getByRole('note').filter({ hasText: 'You have unsaved changes, last edited' });
    await write(text(page), ' At the office.');
    await waitForBackup(page);
    await write(text(other), ' At home.');
    await offer(other).waitFor();
    await waitForBackup(other);
    await other.reload();
    await expect.poll(() => text(other).textContent()).toBe('First words. At home.');
    // An open editor would store its text again.
    await other.goto('about:blank');
    await kept(page).getByRole('button', { name: 'Discard changes' }).click();
    await offer(page).getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => call(`/api/cms/unsaved/post/${post.id}`)).toBeNull();
  });

  test('stays stored when the admin writes before the stored text is loaded', async () => {
    const post = await api.create({ title: 'Quick hands', slug: 'quick-hands' });
    const page = await openPost(post.id);
    await write(text(page), ' Stored.');
    await waitForBackup(page);
    const answer = await hold(page, `**/api/cms/unsaved/post/${post.id}`);
    await page.reload();
    await write(text(page), ' Typed.');
    answer();
    const offer = dialog(page).getByRole('note').filter({ hasText: 'You have unsaved changes, last edited' });
    await offer.waitFor();
    await waitForBackup(page);
    await expect
      .poll(() => call(`/api/cms/unsaved/post/${post.id}`))
      .toMatchObject({
        text: { content: '<p>First words. Typed.</p>' },
        older: { text: { content: '<p>First words. Stored.</p>' } },
      });
  });

  test('is not offered again, and is deleted when the admin discards it, although responses were lost', async () => {
    const post = await api.create({ title: 'Bad line', slug: 'bad-line' });
    const page = await openPost(post.id, { expected: [answered(409), /409|ERR_FAILED/] });
    const lost: ('request' | 'response')[] = [];
    await page.route(`**/api/cms/unsaved/post/${post.id}?*`, async (route) => {
      const one = lost.shift();
      if (one === undefined) return await route.continue();
      if (one === 'response') await route.fetch();
      await route.abort();
    });
    const loses = async (one: 'request' | 'response', words: string) => {
      lost.push(one);
      const failed = page.waitForEvent('requestfailed');
      await write(text(page), words);
      await failed;
      await kept(page).getByText('No connection.').waitFor();
    };
    await loses('response', ' One.');
    await loses('request', ' Two.');
    await write(text(page), ' Three.');
    await waitForBackup(page);
    expect(await dialog(page).getByRole('note').count()).toBe(0);
    await loses('response', ' Four.');
    await kept(page).getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => call(`/api/cms/unsaved/post/${post.id}`)).toBeNull();
  });

  test('of a tab that was closed while they were being sent continue without an offer of the earlier words', async () => {
    const post = await api.create({ title: 'Closed early', slug: 'closed-early' });
    const page = await openPost(post.id);
    const stored = Promise.withResolvers<void>();
    await page.route(`**/api/cms/unsaved/post/${post.id}?*`, async (route) => {
      await route.fetch();
      stored.resolve();
    });
    await write(text(page), ' Sent.');
    await stored.promise;
    await write(text(page), ' Typed after.');
    await page.goto('about:blank');
    await page.unroute(`**/api/cms/unsaved/post/${post.id}?*`);
    await visitPosts(page, `/admin?post=${post.id}`);
    await expect.poll(() => text(page).textContent()).toBe('First words. Sent. Typed after.');
    await waitForBackup(page);
    expect(await dialog(page).getByRole('note').count()).toBe(0);
  });

  test('of a computer without a connection continues there, and text that another computer stored meanwhile is offered', async () => {
    const post = await api.create({ title: 'Two lines', slug: 'two-lines' });
    const page = await openPost(post.id, { expected: ['ERR_INTERNET_DISCONNECTED'] });
    const other = await openPost(post.id);
    await page.context().setOffline(true);
    await write(text(page), ' On the train.');
    await kept(page).getByText('No connection.').waitFor();
    await write(text(other), ' At the office.');
    await waitForBackup(other);
    await page.goto('about:blank');
    await page.context().setOffline(false);
    await visitPosts(page, `/admin?post=${post.id}`);
    await expect.poll(() => text(page).textContent()).toBe('First words. On the train.');
    await dialog(page).getByRole('button', { name: 'Use these changes' }).click();
    await expect.poll(() => text(page).textContent()).toBe('First words. At the office.');
  });

  test('is deleted if it equals the saved post', async () => {
    const post = await api.create({ title: 'Saved elsewhere', slug: 'saved-elsewhere' });
    const path = `/api/cms/unsaved/post/${post.id}`;
    await call(path, 'PUT', { text: { content: post.content } });
    await openPost(post.id);
    await expect.poll(() => call(path)).toBeNull();
  });

  test('stays while the connection is lost and after the session ends, and is saved later from the same screen', async () => {
    const post = await api.create({ title: 'In a tunnel', slug: 'tunnel' });
    const page = await openPost(post.id, { expected: ['ERR_INTERNET_DISCONNECTED', answered(401)] });
    await page.context().setOffline(true);
    await write(text(page), ' Underground.');
    await kept(page).getByText('No connection. Your unsaved changes are kept on this device.').waitFor();
    await saveButton(page).click();
    await notice(page).getByText('Failed to update blog post').waitFor();
    expect(await text(page).textContent()).toBe('First words. Underground.');
    await page.context().setOffline(false);
    await waitForBackup(page);

    await page.context().clearCookies();
    await write(text(page), ' After lunch.');
    await kept(page).getByText('Your session has ended. Your unsaved changes are kept on this device.').waitFor();
    await kept(page).getByRole('button', { name: 'Sign in' }).click();
    await signIn(site, page.getByRole('dialog', { name: 'Sign in again' }));
    await waitForBackup(page);
    await page.context().clearCookies();
    await saveButton(page).click();
    await signIn(site, page.getByRole('dialog', { name: 'Sign in again' }));
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. Underground. After lunch.</p>');
  });

  test('that neither the server nor the browser can store is not lost without a question', async () => {
    const post = await api.create({ title: 'Full disk', slug: 'full-disk' });
    const page = await openPost(post.id, { expected: ['ERR_FAILED'] });
    await page.route('**/api/cms/unsaved/**', (route) => route.abort());
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('', 'QuotaExceededError');
      };
    });
    await write(text(page), ' Only here.');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    expect((await asked).type()).toBe('beforeunload');
    await (await asked).accept();
    await reloaded;
  });
});

test('A link to a later page of the posts that was cut off leads to the first page', async () => {
  await api.create({ title: 'On the first page', slug: 'on-the-first-page' });
  const page = await signedIn(browser, site, session, { expected: [answered(400)] });
  await page.goto('/admin?after=WyIyMDI2');
  await page.getByText('Start again from the first page.').waitFor();
  await page.getByRole('button', { name: 'Go to first page' }).click();
  await row(page, 'On the first page').waitFor();
  await page.getByRole('button', { name: 'Go to first page' }).waitFor({ state: 'detached' });
});

test('The list of posts can be filtered, searched and navigated by keyboard; deleting asks for confirmation and can be undone', async () => {
  const { id } = await api.create({ title: 'Walk needle one', slug: 'walk-1', status: 'published' });
  await api.create({ title: `Walk needle two${' and on'.repeat(25)}`, slug: 'walk-2' });
  const page = await openPosts('/admin?q=walk');
  await page.getByText('1–2 of 2').waitFor();
  // A cell that cuts a long title always shows its beginning, also after a selection or a search in the page.
  const long = page.getByRole('rowheader', { name: /^Walk needle two/ });
  const scrolled = long.evaluate((cell) => {
    cell.scrollLeft = 200;
    return [cell.scrollWidth > cell.clientWidth, cell.scrollLeft];
  });
  expect(await scrolled).toEqual([true, 0]);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  // A key with a modifier, in a field or in a dialog does nothing.
  await page.keyboard.press('Alt+k');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Walk needle one');
  const search = page.getByRole('searchbox', { name: 'Search posts' });
  await search.press('End');
  await page.keyboard.type(' j/ke');
  expect(await search.inputValue()).toBe('walk j/ke');
  await search.fill('walk');
  expect(await row(page, 'needle one').locator('time').first().getAttribute('title')).toMatch(/Z$/);
  const remove = row(page, 'needle one').getByRole('button', { name: 'Delete “Walk needle one”' });
  await remove.click();
  const asked = page.getByRole('dialog', { name: 'Delete this post?' });
  await asked.getByText('Visitors will no longer see the post.').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('/');
  expect(await page.evaluate(() => document.activeElement?.closest('dialog')?.open)).toBe(true);
  await page.keyboard.press('Escape');
  await remove.click();
  await asked.getByRole('button', { name: 'Delete post' }).click();
  // A notice stays while the mouse is on it.
  await notice(page).getByText('Blog post deleted successfully!').hover();
  // The notice does not cover the links to other pages of the list.
  await page.getByRole('navigation', { name: 'Pages' }).click({ trial: true });
  await row(page, 'needle one').waitFor({ state: 'detached' });
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await row(page, 'needle one').waitFor();
  await call(`/api/cms/blog-posts/${id}`, 'DELETE');
  await page.getByRole('button', { name: /^Trash/ }).click();
  await row(page, 'needle one').click();
  const trashed = page.getByRole('dialog', { name: 'Deleted Blog Post' });
  await trashed.getByText(/^In the trash until/).waitFor();
  await trashed.getByRole('button', { name: 'Restore post' }).click();
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Drafts/ }).click();
  await row(page, 'needle one').waitFor({ state: 'detached' });
  await expect.poll(() => rows(page).count()).toBe(1);
  await search.fill('nothing like it');
  await page.getByRole('heading', { name: 'No posts match “nothing like it”' }).waitFor();
});

test('A post that a colleague deletes while an admin writes is restored and saved, and the admin reads why that fails without a connection', async () => {
  const post = await api.create({ title: 'Deleted meanwhile', slug: 'deleted-meanwhile' });
  const page = await openPost(post.id, { expected: [answered(409), 'ERR_INTERNET_DISCONNECTED'] });
  await write(text(page), ' Written on.');
  await waitForBackup(page);
  await call(`/api/cms/blog-posts/${post.id}`, 'DELETE');
  await page.keyboard.press('Control+s');
  const choice = page.getByRole('dialog', { name: 'This post is in the trash' });
  const restore = choice.getByRole('button', { name: 'Restore post and save your version' });
  await restore.waitFor();
  await page.context().setOffline(true);
  await restore.click();
  await notice(page).getByText('Failed to update blog post').waitFor();
  await page.context().setOffline(false);
  await restore.click();
  await notice(page).getByText('Blog post updated successfully!').waitFor();
  expect(await api.read(post.id)).toMatchObject({ content: '<p>First words. Written on.</p>', deletedAt: null });
});

test('The versions of a post can be opened by keyboard, read, put into the form, and removed again; the post waits for a save', async () => {
  const post = await api.create({ title: 'Twice told', slug: 'twice-told', content: '<p>As it was.</p>' });
  const second = await api.save(post, { content: '<p>As it became.</p>', status: 'published' });
  const page = await openPost(post.id);
  await write(text(page), ' And is.');
  const open = dialog(page).getByRole('button', { name: 'Versions' });
  await open.focus();
  await page.keyboard.press('Enter');
  const versions = page.getByRole('dialog', { name: 'Versions of this post' });
  const [latest, first] = [versions.getByRole('radio').nth(0), versions.getByRole('radio').nth(1)];
  await versions.getByText('As it was.').waitFor();
  expect(await first.isChecked()).toBe(true);
  expect(await versions.getByText(site.admin.email).count()).toBe(2);

  await first.focus();
  await page.keyboard.press('ArrowUp');
  expect(await latest.isChecked()).toBe(true);
  await versions.getByText('As it became.', { exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await versions.getByText('As it was.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await notice(page)
    .getByText(/^Version from .+ loaded\. Save the post to use this version$/)
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
