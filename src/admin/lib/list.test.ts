import { expect, test } from 'vitest';
import { nextPage, pageNumber, previousPage } from './list.ts';
import { rangeText } from './use-list.ts';

test.for([
  [1, 50, 3412, true, '1–50 of 3,412'],
  [69, 12, 3412, false, '3,401–3,412 of 3,412'],
  [1, 50, undefined, true, '1–50 of more than 50'],
  [2, 23, undefined, false, '51–73 of 73'],
  // New rows arrived after the first page was read.
  [2, 50, 98, false, '51–100 of 100'],
] as const)('Page %i with %i rows of %s, with more: %s, has the range %s', ([page, rows, total, hasMore, text]) => {
  expect(rangeText(page, rows, total, hasMore)).toBe(text);
});

test('The pages of a list lead back in the same order, also after a reload', () => {
  const third = nextPage(nextPage('', 'a'), 'b');
  expect(pageNumber({ after: third })).toBe(3);
  expect(previousPage(third)).toBe(nextPage('', 'a'));
  expect(previousPage(previousPage(third))).toBe('');
  expect(pageNumber({ after: '' })).toBe(1);
});
