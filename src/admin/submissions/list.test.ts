import { describe, expect, test, vi } from 'vitest';
import { listSearch } from '../lib/paging.ts';
import { inbox, inboxUrl } from './list.ts';

type InboxView = ReturnType<typeof inboxUrl.read>;

const first: InboxView = {
  list: 'inquiries',
  status: 'inbox',
  q: '',
  sort: '-createdAt',
  page: 1,
  after: undefined,
  open: undefined,
};

describe('The URL of the inbox', () => {
  test.for<Partial<InboxView>>([
    {},
    { status: 'quarantine' },
    { list: 'applications', status: 'handled' },
    { q: 'müller & söhne', sort: 'createdAt' },
    { page: 3, after: 'WyIyMDI2Il0' },
    { open: '3f2b9a10-0000-4000-8000-000000000000' },
    { status: 'quarantine', q: 'a+b=c#d', sort: 'createdAt', page: 2, after: 'x', open: 'y' },
  ])('restores the view %j', (changes) => {
    const view = { ...first, ...changes };
    expect(inboxUrl.read(inboxUrl.write(view))).toEqual(view);
  });

  test('omits default values', () => {
    expect(inboxUrl.write(first)).toBe('');
  });

  test.for(['?status=all', '?sort=name', '?page=7', '?page=-1&after=x', '?page=a&after=x', '?q=%20%20', '?utm=1'])(
    'still works with %s, which the site never writes',
    (search) => {
      const { page, after, ...rest } = inboxUrl.read(search);
      const { page: _page, after: _after, ...expected } = first;
      expect(rest).toEqual(expected);
      expect(page).toBe(after === undefined ? 1 : 2);
    },
  );

  test('opens the application that a link in an email names', () => {
    expect(inboxUrl.read('?application=x')).toEqual({ ...first, list: 'applications', open: 'x' });
  });

  test('shows the first page of a new filter, without an open row', () => {
    const location = { pathname: '/admin', search: '?q=dana&page=4&after=x&submission=y' };
    const pushState = (_state: unknown, _title: string, address: string) => {
      location.search = address.replace(location.pathname, '');
    };
    vi.stubGlobal('window', { location, history: { pushState }, dispatchEvent: () => true });
    inboxUrl.filter({ status: 'quarantine' });
    vi.unstubAllGlobals();
    expect(inboxUrl.read(location.search)).toEqual({ ...first, q: 'dana', status: 'quarantine' });
  });
});

describe('The query to the API', () => {
  test('contains the filter and the position', () => {
    expect(listSearch(inbox.queryOf({ ...first, q: 'a&b', page: 2, after: 'x' }))).toBe(
      '?status=inbox&q=a%26b&sort=-createdAt&limit=50&cursor=x',
    );
  });
});
