import { expect, test } from 'vitest';
import { postBody } from './post-body.ts';

test('The first 300 headings of a post have an anchor each, also if all of them have the same text', () => {
  const { headings, html } = postBody('<h2>Close the books</h2>'.repeat(400));
  const slugs = headings.map(({ slug }) => slug);
  expect(slugs.slice(0, 2)).toEqual(['part-close-the-books', 'part-close-the-books--2']);
  expect(new Set(slugs).size).toBe(300);
  expect(html.match(/<h2 id="part-/g)).toHaveLength(300);
  expect(html.match(/<h2/g)).toHaveLength(400);
});

test('A heading without text is neither in the table of contents nor a heading of the page', () => {
  const { headings, html } = postBody('<h2></h2><h2>Close</h2><h3> &nbsp;<br /></h3><h2><strong> </strong></h2>');
  expect(headings.map(({ text }) => text)).toEqual(['Close']);
  expect(html.match(/<h[23][^>]*>/g)).toEqual(['<h2 id="part-close" class="line">']);
});
