import { describe, expect, test } from 'vitest';
import { type InboxView, filtered, listQueryOf, listSearch, rangeText, searchOf, viewOf } from './view.ts';

const first: InboxView = {
  status: 'inbox',
  q: '',
  sort: '-createdAt',
  page: 1,
  after: undefined,
  submission: undefined,
};

describe('The address of the inbox', () => {
  test.for<Partial<InboxView>>([
    {},
    { status: 'quarantine' },
    { q: 'müller & söhne', sort: 'createdAt' },
    { page: 3, after: 'WyIyMDI2Il0' },
    { submission: '3f2b9a10-0000-4000-8000-000000000000' },
    { status: 'quarantine', q: 'a+b=c#d', sort: 'createdAt', page: 2, after: 'x', submission: 'y' },
  ])('gives back the view %j', (changes) => {
    const view = { ...first, ...changes };
    expect(viewOf(searchOf(view))).toEqual(view);
  });

  test('says nothing of what goes without saying', () => {
    expect(searchOf(first)).toBe('');
  });

  test.for(['?status=all', '?sort=name', '?page=7', '?page=-1&after=x', '?page=a&after=x', '?q=%20%20', '?utm=1'])(
    'survives %s, which nobody here wrote',
    (search) => {
      const { page, after, ...rest } = viewOf(search);
      const { page: _page, after: _after, ...expected } = first;
      expect(rest).toEqual(expected);
      expect(page).toBe(after === undefined ? 1 : 2);
    },
  );

  test('begins a new filter on the first page, with nothing open', () => {
    const view = { ...first, q: 'dana', page: 4, after: 'x', submission: 'y' };
    expect(filtered(view, { status: 'quarantine' })).toEqual({ ...first, q: 'dana', status: 'quarantine' });
  });
});

describe('The query that the API is asked', () => {
  test('holds the filter and the place', () => {
    expect(listSearch(listQueryOf({ ...first, q: 'a&b', page: 2, after: 'x' }))).toBe(
      '?status=inbox&q=a%26b&sort=-createdAt&limit=50&cursor=x',
    );
  });
});

describe('The range of rows', () => {
  test.for([
    [1, 50, 3412, true, '1–50 of 3,412'],
    [69, 12, 3412, false, '3,401–3,412 of 3,412'],
    [1, 50, undefined, true, '1–50 and more'],
    [2, 23, undefined, false, '51–73 of 73'],
    [1, 0, 0, false, 'No inquiries'],
  ] as const)('page %i with %i rows of %s', ([page, rows, total, hasMore, text]) => {
    expect(rangeText(page, rows, total, hasMore)).toBe(text);
  });

  test('never contradicts itself where rows came in meanwhile', () => {
    expect(rangeText(2, 50, 98, false)).toBe('51–100 of 100');
  });
});
