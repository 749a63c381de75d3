import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { hold } from '../../support/browser/browser.ts';
import { inbox } from '../../support/samples/inbox.ts';
import { posts, usePosts, visitPosts, write } from '../../support/samples/post-editor.ts';

const { dialog, focusedName, kept, row, saveButton, text, tool } = posts;
const { notice } = inbox;
const { api, openNewPost, openPosts } = usePosts();

/** Returns a picture file. Its width tells the pictures of a text apart. */
async function aPicture(width: number) {
  const image = sharp({ create: { width, height: 1, channels: 3, background: '#0b4f36' } });
  return { name: `${width}.png`, mimeType: 'image/png', buffer: await image.png().toBuffer() };
}

/** Uploads pictures of these widths. */
async function upload(page: Page, ...widths: number[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), tool(page, 'Upload picture').click()]);
  await chooser.setFiles(await Promise.all(widths.map(aPicture)));
}

/** Pastes pictures into an element, or drops them at the end of the element. */
async function give(target: Locator, how: 'paste' | 'drop', ...widths: number[]): Promise<void> {
  const files = await Promise.all(widths.map(aPicture));
  const given = files.map(({ name, buffer }) => [name, buffer.toString('base64')] as const);
  await target.evaluate(
    async (element, { how, given }) => {
      // A browser tells the editor about a moved cursor after the key, with the next frame.
      await new Promise((moved) => requestAnimationFrame(() => setTimeout(moved)));
      const data = new DataTransfer();
      for (const [name, base64] of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: 'image/png' }));
      }
      const { left, bottom } = element.getBoundingClientRect();
      const at = { clientX: left + 60, clientY: bottom - 4, bubbles: true, cancelable: true };
      element.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { ...at, dataTransfer: data })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    { how, given },
  );
}

/** Pastes HTML at the cursor. */
async function pasteHtml(page: Page, html: string): Promise<void> {
  await text(page).evaluate((element, pasted) => {
    const data = new DataTransfer();
    data.setData('text/html', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, html);
}

/** Waits until the text has the pictures of these widths, in this order. */
const waitForPictures = (page: Page, ...widths: number[]) =>
  expect
    .poll(() =>
      text(page)
        .locator('img')
        .evaluateAll((all) => all.map((image) => Number(image.getAttribute('width')))),
    )
    .toEqual(widths);

/** Saves the post, and returns its HTML with `[1]` for a picture of that width. */
async function savedText(page: Page, id: string): Promise<string> {
  await saveButton(page).click();
  await dialog(page).waitFor({ state: 'detached' });
  return (await api.read(id)).content.replace(/<img [^>]*width="(\d+)"[^>]*>/g, '[$1]');
}

const withoutDescription = /no description\.$/;

/** Ways to insert pictures into a post, by the title of the post. */
const pictures: Record<string, { content?: string; insert: (page: Page) => Promise<void>; saved: string }> = {
  Dropped: {
    content: '<p>First.</p><p>Second.</p><p>Third.</p>',
    async insert(page) {
      await write(text(page), ' The cursor is here');
      const release = await hold(page, '**/api/cms/media');
      await give(text(page).getByText('Second.'), 'drop', 1, 2);
      await page.getByText('Uploading 1.png and 1 more…').waitFor();
      await page.keyboard.type(', and stays here.');
      release();
      await waitForPictures(page, 1, 2);
      await page.keyboard.type(' Still.');
      await page.getByText(withoutDescription).waitFor();
      const decorative = page.getByLabel('Decorative: the picture adds no information');
      await decorative.last().check();
      await decorative.first().check();
      await page.getByText(withoutDescription).waitFor({ state: 'detached' });
    },
    saved: '<p>First.</p><p>Second.</p>[1][2]<p>Third. The cursor is here, and stays here. Still.</p>',
  },
  'Uploaded or pasted one by one': {
    async insert(page) {
      await write(text(page), '');
      for (const width of [1, 2]) {
        await upload(page, width);
        await waitForPictures(page, ...[1, 2].slice(0, width));
      }
      await expect(text(page).evaluate((element) => element === document.activeElement)).resolves.toBe(true);
      await page.keyboard.type('In an empty paragraph:');
      await page.keyboard.press('Enter');
      for (const width of [3, 4]) {
        await upload(page, width);
        await waitForPictures(page, ...[1, 2, 3, 4].slice(0, width));
      }
      await page.keyboard.type('Copied:');
      for (const width of [5, 6]) {
        await pasteHtml(page, `<img src="/favicon.svg" alt="Mark" width="${width}">`);
        await waitForPictures(page, ...[1, 2, 3, 4, 5, 6].slice(0, width));
      }
      await page.keyboard.type('Below.');
    },
    saved: '<p>First words.</p>[1][2]<p>In an empty paragraph:</p>[3][4]<p>Copied:</p>[5][6]<p>Below.</p>',
  },
  'Pasted together while text is typed': {
    content: '<p>First words.</p><p>Last words.</p>',
    async insert(page) {
      const release = await hold(page, '**/api/cms/media');
      await text(page).getByText('First words.').click();
      await page.keyboard.press('End');
      await give(text(page), 'paste', 1, 2);
      await page.keyboard.type('Between.');
      await upload(page, 3, 4);
      await page.getByText('Uploading 1.png and 3 more…').waitFor();
      await page.keyboard.type('Below.');
      release();
      await waitForPictures(page, 1, 2, 3, 4);
      await page.keyboard.type(' More.');
    },
    saved: '<p>First words.</p>[1][2]<p>Between.</p>[3][4]<p>Below. More.</p><p>Last words.</p>',
  },
  'Below the selected picture': {
    content: '<hr /><img src="/favicon.svg" alt="Mark" width="1" /><p>First words.</p>',
    async insert(page) {
      await text(page).getByRole('img', { name: 'Mark' }).click();
      await text(page).getByLabel('Description').waitFor();
      await kept(page).getByText('No changes to save').waitFor();
      await upload(page, 2);
      await waitForPictures(page, 1, 2);
      // Undo removes only the new picture.
      await page.keyboard.press('Control+z');
      await waitForPictures(page, 1);
      await page.keyboard.press('Control+Shift+z');
      await waitForPictures(page, 1, 2);
      await page.keyboard.type('Below. ');
    },
    saved: '<hr />[1][2]<p>Below. First words.</p>',
  },
  'From the media library': {
    async insert(page) {
      await upload(page, 9);
      await waitForPictures(page, 9);
      await page.getByLabel('Decorative: the picture adds no information').check();
      await write(text(page), ' Again:');
      await tool(page, 'Picture from the media library').click();
      await page.getByRole('dialog', { name: 'Choose a picture' }).getByText('9.png').click();
      const described = page.getByRole('dialog', { name: 'Describe the picture' });
      await described.waitFor();
      await page.keyboard.type('A warehouse at night');
      await described.getByRole('button', { name: 'Use this picture' }).click();
      await text(page).getByRole('img', { name: 'A warehouse at night' }).waitFor();
      await upload(page, 2);
      await waitForPictures(page, 9, 9, 2);
      await page.keyboard.type('Below.');
    },
    saved: '[9]<p>First words. Again:</p>[9][2]<p>Below.</p>',
  },
};

describe('The editor', () => {
  test('keeps the parts of pasted text that a post supports, and can be used with the keyboard only', async () => {
    const page = await openNewPost();
    await text(page).click();
    await pasteHtml(
      page,
      `<html><head><style>h1 { color: red }</style></head><h1 style="color:red">Big</h1><p class="MsoNormal" style="margin:0">A <span style="font-weight:700">bold</span>
         <font color="red">word</font><o:p></o:p>, <span style="text-decoration:line-through">struck</span>, <a href="https://www.google.com/url?q=https://a.example/b">a link</a>
         and <a href="javascript:x()">no link</a></p><script>alert(1)</script><img src="https://elsewhere.example/a.png">`,
    );
    await notice(page).getByText('One picture was left out').waitFor();
    const pasted = await text(page).innerHTML();
    expect(pasted.replace(/\s+/g, ' ')).toBe(
      '<h2>Big</h2><p>A <strong>bold</strong> word, <s>struck</s>, <a href="https://a.example/b">a link</a> and no link</p>',
    );
    await page.getByText('10 words · 1 min read').waitFor();

    // The lists and tables of Word.
    const item = (marker: string, words: string) =>
      `<p class="MsoListParagraph" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">${marker}<span>&nbsp;&nbsp;</span></span>${words}</p>`;
    const row = (style: string, cell: string) => `<tr style="${style}"><td><p class="MsoNormal">${cell}</p></td></tr>`;
    await page.keyboard.press('Control+a');
    await pasteHtml(
      page,
      item('·', 'One') + item('·', 'Two') + '<p>Then:</p>' + item('1.', 'First') + item('2.', 'Second'),
    );
    expect(await text(page).innerHTML()).toContain(
      '<ul><li><p>One</p></li><li><p>Two</p></li></ul><p>Then:</p><ol><li><p>First</p></li><li><p>Second</p></li></ol>',
    );
    await page.keyboard.press('Control+a');
    await pasteHtml(
      page,
      `<table class="MsoTableGrid">${row('mso-yfti-irow:0;mso-yfti-firstrow:yes', 'Task')}${row('mso-yfti-irow:1', 'Close')}</table>`,
    );
    await text(page).getByRole('columnheader', { name: 'Task' }).waitFor();
    await text(page).getByRole('cell', { name: 'Close' }).waitFor();

    // Shortcuts, the toolbar's arrow keys, a link, and the way out of the text.
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+Alt+2');
    await page.keyboard.type('Heading');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Bold');
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedName(page)).toBe('Undo');
    await page.keyboard.press('End');
    await expect.poll(() => focusedName(page)).toBe('Upload picture');
    // Browsers use arrow keys with modifier keys, for example for Back.
    for (const key of ['Alt', 'Control', 'Meta', 'Shift']) {
      await page.keyboard.press(`${key}+ArrowRight`);
      expect(await focusedName(page)).toBe('Upload picture');
    }
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focusedName(page)).toBe('Undo');
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
  });

  test('opens HTML that it does not fully support to read, in a post or in a version, and converts it only if asked', async () => {
    const richer = '<p>A <sup>mark</sup>.</p>';
    const post = await api.create({ title: 'Richer', slug: 'richer', content: richer });
    const page = await openPosts();
    await row(page, 'Richer').click();
    const notSupported = page.getByText('The text contains HTML elements that the editor doesn’t support: <sup>.');
    await notSupported.waitFor();
    expect(await text(page).textContent()).toBe('A mark.');
    expect(await text(page).getAttribute('contenteditable')).toBe('false');
    await dialog(page).getByLabel('Title').fill('Richer still');
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    const saved = await api.read(post.id);
    expect(saved).toMatchObject({ title: 'Richer still', content: richer });

    await api.save(saved, { content: '<p>Plain.</p>' });
    await visitPosts(page, `/admin?post=${post.id}`);
    await dialog(page).getByRole('button', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await notSupported.waitFor();
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await tool(page, 'Bold').waitFor();
    expect(await text(page).textContent()).toBe('Plain.');

    const converted = await api.create({ title: 'Converted', slug: 'converted', content: richer });
    await visitPosts(page);
    await row(page, 'Converted').click();
    await page.getByRole('button', { name: 'Convert and edit' }).click();
    await write(text(page), ' More.');
    await saveButton(page).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await api.read(converted.id)).content).toBe('<p>A mark. More.</p>');
  });

  test('inserts pictures where they are dropped, pasted, uploaded or chosen, in order, and the next text below them', async () => {
    const stored: [title: string, id: string][] = [];
    for (const [title, { content }] of Object.entries(pictures)) {
      const { id } = await api.create({ title, slug: `pictures-${stored.length}`, ...(content && { content }) });
      stored.push([title, id]);
    }
    const page = await openPosts();
    for (const [title, id] of stored) {
      await row(page, title).click();
      await text(page).waitFor();
      await pictures[title]!.insert(page);
      expect(await savedText(page, id), title).toBe(pictures[title]!.saved);
    }
    const [, described] = stored.at(-1)!;
    expect((await api.read(described)).content).toMatch(
      /<img src="[^"]+" alt="A warehouse at night" width="9" height="1"/,
    );

    // The dropped pictures were saved as decorative, so the hint does not appear again.
    await row(page, 'Dropped').click();
    await waitForPictures(page, 1, 2);
    expect(await page.getByText(withoutDescription).count()).toBe(0);
  });
});
