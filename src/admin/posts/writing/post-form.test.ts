import { expect, test } from 'vitest';
import { emptyForm, linesOfPost, problemsIn, undescribedPictures, withSlug } from './post-form.ts';

test('The slug of a new post follows the title again while the slug is empty', () => {
  const edited = { ...emptyForm, title: 'Close', slug: 'mine' };
  expect(withSlug(edited, { title: 'New' })).toEqual({ title: 'New' });
  expect(withSlug({ ...edited, slug: '' }, { title: 'New' })).toEqual({ title: 'New', slug: 'new' });
});

test('A post with only spaces lacks its content, and a post with only a picture does not', () => {
  const form = { ...emptyForm, title: 'a', slug: 'a' };
  expect(Object.keys(problemsIn({ ...form, content: '<p>&nbsp;</p>' }))).toEqual(['content']);
  expect(problemsIn({ ...form, content: '<img src="/a.png" alt="">' })).toEqual({});
});

test('Pictures without a description are counted, unless they are decorative', () => {
  const pictures = [
    '<img src="/a" alt="A">',
    '<img src="/b" alt="" loading="lazy">',
    '<img alt="" role="presentation" src="/c">',
  ];
  expect(undescribedPictures(`<p>Text</p>${pictures.join('')}<img src="/d">`)).toBe(2);
});

test('A post as text has a line for each field and block, and pictures are shown by their description', () => {
  const lines = (content: string) => linesOfPost({ ...emptyForm, title: 'T', slug: 's', content });
  expect(
    lines('<h2>A &amp; b</h2><p>c <em>d</em></p><ul><li><p>e</p></li></ul><img src="/x" alt="Chart"><img src="/y">'),
  ).toEqual([
    ...['Title: T', 'Slug: s', 'Status: Draft'],
    ...['A & b', 'c d', '• e', '[Picture: Chart]', '[Picture: no description]'],
  ]);
  expect(
    lines('<table><tbody><tr><th><p>a</p></th><th>b</th></tr><tr><td><p></p></td><td></td></tr></tbody></table>'),
  ).toEqual(['Title: T', 'Slug: s', 'Status: Draft', 'a | b']);
  expect(lines('<p>Don&#39;t</p>')).toEqual(lines("<p>Don't</p>"));
});
