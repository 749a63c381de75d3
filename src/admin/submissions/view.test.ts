import { describe, expect, test } from 'vitest';
import { listSearch } from '../ui/paging.ts';
import { type InboxView, filtered, listQueryOf, searchOf, viewOf } from './view.ts';

const first: InboxView = {
  list: 'inquiries',
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
    { list: 'applications', status: 'handled' },
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

  test('takes a link from a mail that names an application', () => {
    expect(viewOf('?application=x')).toEqual({ ...first, list: 'applications', submission: 'x' });
  });

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
