import { describe, expect, test } from 'vitest';
import { answered, inbox } from '../support/inbox.ts';
import { posts, usePosts, write } from '../support/post-editor.ts';

const { descriptionOf, dialog, focusedName, kept, row, rows, saveButton, text } = posts;
const { notice } = inbox;
const { api, openPosts, openPost } = usePosts();

describe('An admin who writes a post', () => {
  test('starts the first post, whose slug follows the title until it is edited, and finds it in the list as a draft', async () => {
    const page = await openPosts();
    await page.getByRole('heading', { name: 'No blog posts yet' }).waitFor();
    await page.getByRole('button', { name: 'New post' }).first().click();
    await text(page).waitFor();
    const [title, slug] = [dialog(page).getByLabel('Title'), dialog(page).getByLabel('Slug')];
    await title.fill('Closing: the Books, in 5 Days!');
    expect(await slug.inputValue()).toBe('closing-the-books-in-5-days');
    await slug.fill('five-day-close');
    await title.fill('Closing the books in five days');
    expect(await slug.inputValue()).toBe('five-day-close');
    expect(await dialog(page).getByLabel('Status').inputValue()).toBe('draft');
    await text(page).click();
    await page.keyboard.type('First line.');
    await saveButton(page).click();
    await notice(page).getByText('Blog post created successfully!').waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    await row(page, 'Closing the books in five days').getByText('Draft', { exact: true }).waitFor();
    const [stored] = await api.list('closing');
    expect(stored).toMatchObject({ slug: 'five-day-close', content: '<p>First line.</p>', publishedAt: null });
    await page.getByRole('button', { name: 'New post' }).click();
    expect(await dialog(page).getByLabel('Title').inputValue()).toBe('');
  });

  test('sees which fields are missing, and nothing is sent', async () => {
    const page = await openPosts('/admin?post=new');
    await saveButton(page).click();
    await notice(page).getByText('Please fill in all required fields').waitFor();
    await expect.poll(() => focusedName(page)).toBe('title');
    await dialog(page).getByText('Please enter the content.').waitFor();
  });

  test('is offered a free slug if another post has the slug', async () => {
    await api.create({ title: 'Taken', slug: 'taken' });
    const page = await openPosts('/admin?post=new', { expected: [answered(409)] });
    await dialog(page).getByLabel('Title').fill('Taken');
    await text(page).click();
    await page.keyboard.type('Other words.');
    await saveButton(page).click();
    await expect.poll(() => descriptionOf(dialog(page).getByLabel('Slug'))).toContain('"taken-2" is free.');
    await notice(page).getByText('Failed to create blog post').waitFor();
    await dialog(page).getByRole('button', { name: 'Use “taken-2”' }).click();
    await saveButton(page).click();
    await notice(page).getByText('Blog post created successfully!').waitFor();
    expect((await api.list('taken')).map(({ slug }) => slug)).toContain('taken-2');
  });

  test('saves with Ctrl+S and continues with the same post', async () => {
    const page = await openPosts('/admin?post=new');
    await dialog(page).getByLabel('Title').fill('Saved on the way');
    await text(page).click();
    await page.keyboard.type('One.');
    await page.keyboard.press('Control+s');
    await notice(page).getByText('Blog post created successfully!').waitFor();
    await page.getByRole('dialog', { name: 'Edit Blog Post' }).waitFor();
    await page.keyboard.type(' Two.');
    await page.keyboard.press('Control+s');
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    await kept(page).getByText('No changes to save').waitFor();
    // The notice does not cover the status line.
    await kept(page).click({ trial: true });
    const found = await api.list('saved way');
    expect(found.map(({ content }) => content)).toEqual(['<p>One. Two.</p>']);
  });

  test('sets a new date with each published save, unless they keep the original date', async () => {
    const post = await api.create({ title: 'Dated', slug: 'dated', status: 'published' });
    const page = await openPost(post.id);
    await dialog(page).getByLabel('Keep original date').check();
    await write(text(page), ' More.');
    await page.keyboard.press('Control+s');
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    await kept(page).getByText('No changes to save').waitFor();
    expect((await api.read(post.id)).publishedAt).toBe(post.publishedAt);
    await dialog(page).getByLabel('Keep original date').uncheck();
    await write(text(page), ' And more.');
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(post.id)).publishedAt! > post.publishedAt!).toBe(true);
  });

  test('sees the draft as visitors will, with hints for corrections', async () => {
    const content = '<h2>Why</h2><h4>Too deep</h4><p><a href="/contact">Click here</a></p>';
    const post = await api.create({ title: 'To be previewed', slug: 'previewed', content, excerpt: null });
    const page = await openPost(post.id);
    const hints = page.getByRole('region', { name: 'Before you publish' });
    await hints.getByText('“Too deep” is an H4 heading, but the heading before it is H2. Use H3.').waitFor();
    await hints.getByRole('button', { name: /^The link “Click here”/ }).click();
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('Click here');
    await hints.getByRole('button', { name: /^No excerpt/ }).click();
    await expect.poll(() => focusedName(page)).toBe('excerpt');
    await write(text(page), ' Unsaved words.');
    const [preview] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog(page).getByRole('button', { name: 'Preview' }).click(),
    ]);
    await preview.getByText('Unsaved words.').waitFor();
    expect((await api.read(post.id)).content).not.toContain('Unsaved');
  });
});

describe('A scheduled post', () => {
  const losAngeles = { timezoneId: 'America/Los_Angeles' };

  test('gets its time by keyboard, in the admin’s time zone, and the list shows the time', async () => {
    const page = await openPosts('/admin?post=new', losAngeles);
    const field = dialog(page).getByLabel('Publish at');
    await dialog(page).getByLabel('Title').fill('At its hour');
    await text(page).click();
    await page.keyboard.type('Not yet.');
    await dialog(page).getByLabel('Status').press('ArrowDown');
    await dialog(page).getByText('Your time zone is America/Los_Angeles.').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => focusedName(page)).toBe('publishAt');
    await page.keyboard.type('0314');
    await page.keyboard.press('Control+s');
    await expect.poll(() => descriptionOf(field)).toContain('Please enter the date and the time.');
    await expect.poll(() => focusedName(page)).toBe('publishAt');
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
    const [stored] = await api.list('hour');
    expect(stored).toMatchObject({ status: 'draft', publishAt: '2060-03-14T10:30:00.000Z' });

    // 1:30 a.m. occurs twice on this day. The site uses the first.
    await field.fill('2060-11-07T01:30');
    await dialog(page).getByText('Nov 7, 2060 1:30 AM PDT').waitFor();
    await saveButton(page).press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await row(page, 'At its hour').getByText('Scheduled', { exact: true }).waitFor();
    await row(page, 'At its hour').getByText('Nov 7, 2060 1:30 AM PDT').waitFor();
    expect((await api.read(stored!.id)).publishAt).toBe('2060-11-07T08:30:00.000Z');
    await page.getByRole('button', { name: /^Scheduled/ }).click();
    await page.getByText('1–1 of 1').waitFor();
    await row(page, 'At its hour').waitFor();
    await page.getByRole('button', { name: /^Drafts/ }).click();
    await row(page, 'At its hour').waitFor({ state: 'detached' });
  });

  test('keeps its time after a reload, and loses it only if the status becomes Draft or Published', async () => {
    const post = await api.create({ title: 'Reconsidered', slug: 'reconsidered', publishAt: '2060-01-01T18:00Z' });
    const page = await openPost(post.id, losAngeles);
    const field = dialog(page).getByLabel('Publish at');
    expect(await field.inputValue()).toBe('2060-01-01T10:00');
    await field.fill('2061-07-01T10:00');
    await kept(page)
      .getByText(/^Unsaved changes. Backed up to the server/)
      .waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Compare' }).click();
    const compared = page.getByRole('dialog', { name: 'Your unsaved changes' });
    await compared.getByRole('cell', { name: 'Status: Scheduled for Jan 1, 2060 10:00 AM PST' }).waitFor();
    await compared.getByRole('cell', { name: 'Status: Scheduled for Jul 1, 2061 10:00 AM PDT' }).waitFor();
    await compared.getByRole('button', { name: 'Restore these changes' }).click();
    await expect.poll(() => field.inputValue()).toBe('2061-07-01T10:00');

    const status = dialog(page).getByLabel('Status');
    await status.selectOption('Draft');
    expect(await field.count()).toBe(0);
    await page.keyboard.press('Control+s');
    await kept(page).getByText('No changes to save').waitFor();
    expect((await api.read(post.id)).publishAt).toBeNull();

    await status.selectOption('Scheduled');
    expect(await field.inputValue()).toBe('2061-07-01T10:00');
    await status.selectOption('Published');
    await dialog(page).getByText('Saving publishes the post now, not on Jul 1, 2061 10:00 AM PDT.').waitFor();
    expect(await field.count()).toBe(0);
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await api.read(post.id)).toMatchObject({ status: 'published', publishAt: null });
  });

  test('is not saved without a time or with a time in the past, and keeps all typed text', async () => {
    const page = await openPosts('/admin?post=new', { ...losAngeles, expected: [answered(400)] });
    await dialog(page).getByLabel('Title').fill('Too late');
    await text(page).click();
    await page.keyboard.type('Words.');
    await dialog(page).getByLabel('Status').selectOption('Scheduled');
    const field = dialog(page).getByLabel('Publish at');
    await saveButton(page).click();
    await expect.poll(() => descriptionOf(field)).toContain('Please enter the date and the time.');
    await field.fill('2020-01-01T10:00');
    await saveButton(page).click();
    await expect.poll(() => descriptionOf(field)).toContain('This time has passed.');
    await expect.poll(() => focusedName(page)).toBe('publishAt');
    expect(await text(page).textContent()).toBe('Words.');
    expect(await api.list('late')).toEqual([]);
  });
});

describe('The list of posts', () => {
  test('begins with the title, and shows one date per post, also on a phone', async () => {
    const title = 'What a controller should know of the release notes before the sandbox is upgraded';
    await api.create({ title, slug: 'release-notes', status: 'published' });
    const page = await openPosts('/admin?q=controller');
    const heads = page.getByRole('table', { name: 'Blog posts' }).getByRole('columnheader');
    expect(await heads.allInnerTexts()).toEqual(['Title', 'URL', 'Status', 'Date', 'Actions']);
    const found = row(page, title);
    expect(await found.locator('time').count()).toBe(1);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await found.locator('time').count()).toBe(1);
    await found.getByText('Published', { exact: true }).waitFor();
  });

  test('can be filtered, searched and navigated by keyboard; deleting asks for confirmation and can be undone', async () => {
    await api.create({ title: 'Walk needle one', slug: 'walk-1', status: 'published' });
    await api.create({ title: 'Walk needle two', slug: 'walk-2' });
    const page = await openPosts('/admin?q=walk');
    await page.getByText('1–2 of 2').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Walk needle one');
    expect(await row(page, 'needle one').locator('time').first().getAttribute('title')).toMatch(/Z$/);
    await page.keyboard.press('Delete');
    const asked = page.getByRole('dialog', { name: 'Delete this post?' });
    await asked.getByText('Visitors will no longer see the post.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await asked.getByRole('button', { name: 'Delete post' }).click();
    await notice(page).getByText('Blog post deleted successfully!').waitFor();
    // The notice does not cover the links to other pages of the list.
    await page.getByRole('navigation', { name: 'Pages' }).click({ trial: true });
    await row(page, 'needle one').waitFor({ state: 'detached' });
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await row(page, 'needle one').waitFor();
    await page.getByRole('button', { name: /^Drafts/ }).click();
    await row(page, 'needle one').waitFor({ state: 'detached' });
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('nothing like it');
    await page.getByRole('heading', { name: 'No posts match “nothing like it”.' }).waitFor();
  });

  test('shows an error if it cannot be loaded, keeps the current list, and tries again', async () => {
    await api.create({ title: 'Still there', slug: 'still-there' });
    const page = await openPosts('/admin', { expected: ['ERR_INTERNET_DISCONNECTED'] });
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('Couldn’t load the posts').waitFor();
    await row(page, 'Still there').getByRole('button', { name: 'Delete “Still there”' }).click();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await notice(page).getByText('Failed to delete blog post').waitFor();
    await row(page, 'Still there').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('Couldn’t load the posts').waitFor({ state: 'detached' });
  });
});
