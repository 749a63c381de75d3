import { expect, test } from 'vitest';
import { slugOf } from './post-input.ts';

test.for([
  ['Closing the Books, in 5 Days!', 'closing-the-books-in-5-days'],
  ["  What's new -- and what isn't  ", 'whats-new-and-what-isnt'],
  ['NetSuite_2026: a/b & c', 'netsuite2026-ab-c'],
  ['- leading and trailing -', 'leading-and-trailing'],
  ['Crème brûlée', 'crème-brûlée'],
  ['会計　2026', '会計-2026'],
  ['हिन्दी लेख', 'हिन्दी-लेख'],
  ['🎉!?', ''],
  ['a'.repeat(119) + ' b', 'a'.repeat(119)],
])('The slug of %j is %j, and a slug is its own slug', ([title, slug]) => {
  expect(slugOf(title!)).toBe(slug);
  expect(slugOf(slug!)).toBe(slug);
});
