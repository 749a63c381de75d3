import { describe, expect, test } from 'vitest';
import { cursorTrail } from './list.ts';
import { rangeText } from './use-list.ts';

describe('The range of rows', () => {
  test.for([
    [1, 50, 3412, true, '1–50 of 3,412'],
    [69, 12, 3412, false, '3,401–3,412 of 3,412'],
    [1, 50, undefined, true, '1–50 of more than 50'],
    [2, 23, undefined, false, '51–73 of 73'],
    [1, 0, 0, false, 'No inquiries'],
  ] as const)('page %i with %i rows of %s', ([page, rows, total, hasMore, text]) => {
    expect(rangeText({ page, rows, total, hasMore, none: 'No inquiries' })).toBe(text);
  });

  test('stays consistent if new rows arrive', () => {
    expect(rangeText({ page: 2, rows: 50, total: 98, hasMore: false, none: '' })).toBe('51–100 of 100');
  });
});

describe('The pages of a list', () => {
  const first = { page: 1, after: undefined };

  test('lead back in the same order', () => {
    const trail = cursorTrail();
    const second = trail.next(first, 'a');
    const third = trail.next(second, 'b');
    expect(third).toEqual({ page: 3, after: 'b' });
    expect(trail.previous(third)).toEqual(second);
    expect(trail.previous(second)).toEqual(first);
  });

  test('lead to the first page after a link into the middle', () => {
    expect(cursorTrail().previous({ page: 4, after: 'c' })).toEqual(first);
  });
});
