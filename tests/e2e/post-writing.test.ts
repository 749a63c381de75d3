import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { faultsOf } from '../support/accessibility.ts';
import { type PageOptions, useBrowser } from '../support/browser.ts';
import { aPhotograph } from '../support/files.ts';
import { answered, inbox, signIn, signedIn, startSession, useSession } from '../support/inbox.ts';
import { posts, postsApi, visitPosts, write } from '../support/post-editor.ts';
import { useSite } from '../support/site.ts';

const { dialog, focusedName, kept, row, saveButton, text, tool } = posts;
const { notice } = inbox;
const browser = useBrowser();
const site = useSite();
const session = useSession(site);
const api = postsApi(site, session);

async function openPosts(path = '/admin', options: PageOptions = {}): Promise<Page> {
  const page = await signedIn(browser, site, session, options);
  await visitPosts(page, path);
  return page;
}
/** An image of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = (page: Page, name: string) =>
  text(page)
    .getByRole('figure')
    .filter({ has: page.getByRole('img', { name }) });
const openPost = (id: string, options: PageOptions = {}) => openPosts(`/admin?post=${id}`, options);

/**
 * Presses Esc several times while the page is busy, so the page gets all key presses before the browser reports that a
 * dialog was closed. When this function returns, a dialog that reopened has been painted.
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
      .getByText(/^Unsaved changes kept/)
      .waitFor();
    await page.reload();
    await page.getByText('You have unsaved changes').waitFor();
    expect(await text(page).textContent()).toBe('First words.');
    await page.getByRole('button', { name: 'Compare' }).first().click();
    const compared = page.getByRole('dialog', { name: 'Your unsaved changes' });
    await compared.getByRole('cell', { name: 'First words. Then the power went.' }).waitFor();
    await compared.getByText('One line differs, and is marked.').waitFor();
    await compared.getByRole('button', { name: 'Restore these changes' }).click();
    expect(await text(page).textContent()).toBe('First words. Then the power went.');
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    expect(await text(page).textContent()).toBe('First words.');
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    await saveButton(page).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
    expect((await api.read(post.id)).content).toBe('<p>First words. Then the power went.</p>');
    await row(page, 'Reloaded').click();
    await text(page).waitFor();
    await expect.poll(() => page.getByText('You wrote here before').count()).toBe(0);
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
      .getByText(/^Unsaved changes kept on the server/)
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
        .getByText(/^Unsaved changes kept on the server/)
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
    const drafts = page.waitForResponse((response) => response.url().endsWith('/api/cms/post-drafts'));
    await page.getByRole('button', { name: 'New post' }).click();
    await drafts;
    await page.waitForTimeout(500);
    expect(await offers.count()).toBe(0);
  });

  test('is not offered to another admin on the same computer, and is offered when its author returns', async () => {
    const page = await openPosts('/admin?post=new');
    await dialog(page).getByLabel('Title').fill('For my eyes');
    await kept(page)
      .getByText(/^Unsaved changes kept on the server/)
      .waitFor();
    const browserContext = page.context();
    const colleague = await startSession(site, await site.addAdmin('colleague@firm.example'));
    await browserContext.addCookies(colleague.cookies);
    await page.reload();
    await page.getByText('colleague@firm.example').waitFor();
    await dialog(page).getByLabel('Title').fill('The colleague writes');
    await kept(page)
      .getByText(/^Unsaved changes kept on the server/)
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
    await kept(page).getByText('No connection. Your unsaved changes are kept on this device.').waitFor();
    await saveButton(page).click();
    await notice(page).getByText('Failed to update blog post').waitFor();
    expect(await text(page).textContent()).toBe('First words. Underground.');
    await page.context().setOffline(false);
    await kept(page)
      .getByText(/^Unsaved changes kept on the server/)
      .waitFor();
    await saveButton(page).click();
    await notice(page).getByText('Blog post updated successfully!').waitFor();
  });

  test('stays after the session ends: the admin signs in on the same screen, and nothing is missing', async () => {
    const post = await api.create({ title: 'Long lunch', slug: 'lunch' });
    const page = await openPost(post.id, { expected: [answered(401)] });
    await page.context().clearCookies();
    await write(text(page), ' After lunch.');
    await kept(page).getByText('Your session has ended. Your unsaved changes are kept on this device.').waitFor();
    await kept(page).getByRole('button', { name: 'Sign in' }).click();
    await signIn(site, page.getByRole('dialog', { name: 'Sign in again' }));
    await kept(page)
      .getByText(/^Unsaved changes kept on the server/)
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
      .getByText(/^Unsaved changes kept on the server/)
      .waitFor();
    const other = await page.context().newPage();
    await visitPosts(other, `${site.url}/admin?post=${post.id}`);
    await page.getByText('This post is open in another tab').waitFor();
    await other.getByText('This post is open in another tab').waitFor();
    expect(await other.getByText('You wrote here before').count()).toBe(0);
    await write(text(other), ' There.');
    await other.keyboard.press('Control+s');
    await notice(other).getByText('Blog post updated successfully!').waitFor();
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
    expect(await faultsOf(page)).toEqual([]);

    await first.focus();
    await page.keyboard.press('ArrowUp');
    expect(await latest.isChecked()).toBe(true);
    await versions.getByRole('cell', { name: 'As it became.', exact: true }).waitFor();
    await versions.getByRole('cell', { name: 'As it became. And is.' }).waitFor();
    await versions.getByText('One line differs, and is marked.').waitFor();
    await page.keyboard.press('ArrowDown');
    await versions.getByRole('cell', { name: 'As it was.' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await notice(page)
      .getByText(/^The version of .+ is in the form$/)
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

describe('The editor', () => {
  test('keeps the parts of pasted text that a post supports, and states what it removed', async () => {
    const page = await openPosts('/admin?post=new');
    await text(page).click();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData(
        'text/html',
        `<html><head><style>h1 { color: red }</style></head><h1 style="color:red">Big</h1><p class="MsoNormal" style="margin:0">A <span style="font-weight:700">bold</span>
         <font color="red">word</font><o:p></o:p>, <a href="https://www.google.com/url?q=https://a.example/b">a link</a>
         and <a href="javascript:x()">no link</a></p><script>alert(1)</script><img src="https://elsewhere.example/a.png">`,
      );
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await notice(page).getByText('One picture was left out').waitFor();
    await page.getByRole('button', { name: 'HTML view' }).click();
    const html = page.getByRole('textbox', { name: 'Content, as HTML' });
    expect((await html.inputValue()).replace(/\s+/g, ' ')).toBe(
      '<h2>Big</h2> <p>A <strong>bold</strong> word, <a href="https://a.example/b">a link</a> and no link</p>',
    );
    await html.fill('<p>Written <em>by hand</em>.</p>');
    await page.getByRole('button', { name: 'Visual editor' }).click();
    expect(await text(page).innerHTML()).toContain('<em>by hand</em>');
    await page.getByText('3 words · 1 min read').waitFor();
  });

  test('opens a text that it does not fully support as HTML, and loses nothing without asking', async () => {
    const content = '<figure><img src="/favicon.svg" alt="Mark" /><figcaption>A <sup>mark</sup></figcaption></figure>';
    const post = await api.create({ title: 'Richer', slug: 'richer', content });
    const page = await openPosts();
    await row(page, 'Richer').click();
    const html = page.getByRole('textbox', { name: 'Content, as HTML' });
    await html.waitFor();
    await page.getByText('The visual editor would remove: sup.').waitFor();
    await dialog(page).getByLabel('Title').fill('Richer still');
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(post.id)).content).toBe((await api.list('richer'))[0]!.content);
    expect((await api.read(post.id)).content).toContain('<figcaption>A <sup>mark</sup></figcaption>');
  });

  test('shows a version that it does not fully support as HTML, and the text before it after an undo', async () => {
    const content = '<p>A <sup>mark</sup>.</p>';
    const post = await api.create({ title: 'Once richer', slug: 'once-richer', content });
    await api.save(post, { content: '<p>Plain.</p>' });
    const page = await openPost(post.id);
    await dialog(page).getByRole('button', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('The visual editor would remove: sup.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Content, as HTML' }).inputValue()).toBe(content);
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    expect(await text(page).textContent()).toBe('Plain.');
    await kept(page)
      .getByText(/^Unsaved changes kept on the server/)
      .waitFor();
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(post.id)).content).toBe('<p>Plain.</p>');
  });

  test('can be used with the keyboard only: shortcuts, the toolbar’s arrow keys, a link, and leaving the text', async () => {
    const page = await openPosts('/admin?post=new');
    await text(page).click();
    await page.keyboard.press('Control+Alt+2');
    await page.keyboard.type('Heading');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Bold');
    await page.keyboard.press('Escape');
    expect(await focusedName(page)).toBe('Undo');
    await page.keyboard.press('End');
    expect(await focusedName(page)).toBe('HTML view');
    await page.keyboard.press('ArrowRight');
    expect(await focusedName(page)).toBe('Undo');
    await text(page).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Add a link' }).waitFor();
    // The dialog focuses the field for the link.
    await page.keyboard.type('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add a link' }).waitFor();
    await page.getByRole('textbox', { name: 'Link', exact: true }).fill('example.com/a');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('an example');
    await page.keyboard.press('Enter');
    await text(page).getByRole('link', { name: 'an example' }).waitFor();
    expect(await text(page).innerHTML()).toContain('href="https://example.com/a"');
    expect(await text(page).innerHTML()).toContain('<strong>Bold</strong>');
    expect(await tool(page, 'Link').getAttribute('title')).toBe('Link (Ctrl+K)');
    // All buttons must have different icons or labels.
    const drawn = await page
      .getByRole('toolbar', { name: 'Text' })
      .getByRole('button')
      .evaluateAll((tools) =>
        tools.map((element) => element.querySelector('path')?.getAttribute('d') ?? element.textContent),
      );
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(await tool(page, 'HTML view').textContent()).toBe('HTML');
  });

  test('does not count opening a text as a change, and inserts a rule at the beginning of the text', async () => {
    const content = '<p>Words.</p><hr /><p>More.</p><img src="/favicon.svg" alt="Mark" />';
    const post = await api.create({ title: 'Only read', slug: 'only-read', content });
    const page = await openPost(post.id);
    const [words, rule] = [text(page).getByText('Words.'), text(page).locator('hr')];
    expect((await rule.boundingBox())!.x).toBe((await words.boundingBox())!.x);
    await text(page).getByRole('img', { name: 'Mark' }).click();
    await text(page).getByLabel('Description').waitFor();
    await words.click();
    await kept(page).getByText('No changes to save').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });

  test('uploads a picture from the device into the text, and asks for its description', async () => {
    const post = await api.create({ title: 'Pictured', slug: 'pictured' });
    const page = await openPost(post.id);
    await tool(page, 'Picture').click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page
        .getByRole('dialog', { name: 'Add a picture' })
        .getByRole('button', { name: 'Upload from this device' })
        .click(),
    ]);
    await chooser.setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') });
    await text(page).locator('img').waitFor();
    await page.getByRole('button', { name: 'A picture has no description.' }).click();
    // Clicking the hint focuses the description field.
    await page.keyboard.type('A dt');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('o');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Figure 1');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Content');
    await page.keyboard.press('Tab');
    expect(
      await picture(page, 'A dot')
        .getByLabel('Description')
        .evaluate((field) => field.matches(':focus')),
    ).toBe(true);
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(post.id)).content).toMatch(
      /<figure><img src="\/[^"]+" alt="A dot" width="1" height="1"[^>]*\/?><figcaption>Figure 1<\/figcaption><\/figure>/,
    );
    await row(page, 'Pictured').click();
    await expect.poll(() => picture(page, 'A dot').getByLabel('Caption').inputValue()).toBe('Figure 1');
  });

  test('inserts a dropped picture between the blocks where it was dropped, regardless of the cursor', async () => {
    const content = '<p>First.</p><p>Second.</p><p>Third.</p>';
    const post = await api.create({ title: 'Dropped', slug: 'dropped', content });
    const page = await openPost(post.id);
    await write(text(page), ' The cursor is here');
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/cms/media', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await text(page)
      .getByText('Second.')
      .evaluate((paragraph, base64) => {
        const { left, bottom } = paragraph.getBoundingClientRect();
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }));
        const at = { clientX: left + 60, clientY: bottom - 4, bubbles: true, cancelable: true };
        paragraph.dispatchEvent(new DragEvent('drop', { ...at, dataTransfer: data }));
      }, dot);
    await page.getByText('Uploading dropped.png…').waitFor();
    await page.keyboard.type(', and stays here.');
    answer.resolve();
    await text(page).locator('img').waitFor();
    await page.keyboard.type(' Still.');
    await page.getByLabel('Decorative: the picture adds no information').check();
    await expect.poll(() => page.getByRole('button', { name: 'A picture has no description.' }).count()).toBe(0);
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(post.id)).content.replace(/ src="[^"]+"/, '')).toMatch(
      /^<p>First\.<\/p><p>Second\.<\/p><img alt="" role="presentation" [^>]+><p>Third\. The cursor is here, and stays here\. Still\.<\/p>$/,
    );
    // The image was saved as decorative, so the hint does not appear again.
    await row(page, 'Dropped').click();
    await text(page).locator('img').waitFor();
    expect(await page.getByRole('button', { name: 'A picture has no description.' }).count()).toBe(0);
  });

  test('inserts a picture from the media library into the text after it is described', async () => {
    const form = new FormData();
    form.append('file', new File([await aPhotograph('jpeg')], 'warehouse.jpg'));
    const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin: site.url };
    const uploaded = await fetch(`${site.url}/api/cms/media`, { method: 'POST', headers, body: form });
    const { url } = (await uploaded.json()).data;

    const post = await api.create({ title: 'Choose from library', slug: 'from-the-library' });
    const page = await openPost(post.id);
    await tool(page, 'Picture').click();
    await page
      .getByRole('dialog', { name: 'Add a picture' })
      .getByRole('button', { name: 'Choose from Media Library' })
      .click();
    await page.getByRole('dialog', { name: 'Choose a picture' }).getByText('warehouse.jpg').click();
    const described = page.getByRole('dialog', { name: 'Describe the picture' });
    await described.waitFor();
    await page.keyboard.type('A warehouse at night');
    await described.getByRole('button', { name: 'Use this picture' }).click();
    await text(page).getByRole('img', { name: 'A warehouse at night' }).waitFor();
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(post.id)).content).toContain(
      `<img src="${url}" alt="A warehouse at night" width="60" height="40"`,
    );
  });
});
