import { describe, expect, test, vi } from 'vitest';
import { kindIn, kinds } from './kinds.ts';

const { inquiries, applications } = kinds;
type View = ReturnType<typeof inquiries.list.read>;
const first: View = { status: 'inbox', q: '', sort: '-createdAt', page: 1, after: undefined, open: undefined };

describe('The URL of the inbox', () => {
  test.for<Partial<View>>([
    { q: 'müller & söhne', sort: 'createdAt' },
    { page: 3, after: 'WyIyMDI2Il0' },
    { status: 'quarantine', q: 'a+b=c#d', sort: 'createdAt', page: 2, after: 'x', open: 'y' },
  ])('restores the view %j', (changes) => {
    const view = { ...first, ...changes };
    for (const { list } of [inquiries, applications]) expect(list.read(list.write(view))).toEqual(view);
  });

  test('omits default values, and names the applications', () => {
    expect([inquiries.list.write(first), applications.list.write(first)]).toEqual(['', '?list=applications']);
    expect(['', '?list=applications', '?list=x'].map(kindIn)).toEqual(['inquiries', 'applications', 'inquiries']);
  });

  test.for(['?status=all', '?sort=name', '?page=7', '?page=-1&after=x', '?page=a&after=x', '?q=%20%20', '?utm=1'])(
    'still works with %s, which the site never writes',
    (search) => {
      const { page, after, ...rest } = inquiries.list.read(search);
      expect({ ...first, ...rest }).toEqual(first);
      expect(page).toBe(after === undefined ? 1 : 2);
    },
  );

  test.for(['?application=x', '?list=applications&submission=x'])('opens the application of %s', (search) => {
    expect(kindIn(search)).toBe('applications');
    expect(applications.list.read(search)).toEqual({ ...first, open: 'x' });
  });

  test('shows the first page of a new filter, without an open row', () => {
    const location = { pathname: '/admin', search: '?q=dana&page=4&after=x&submission=y' };
    const pushState = (_state: unknown, _title: string, address: string) => {
      location.search = address.replace(location.pathname, '');
    };
    vi.stubGlobal('window', { location, history: { pushState }, dispatchEvent: () => true });
    inquiries.list.filter({ status: 'quarantine' });
    vi.unstubAllGlobals();
    expect(inquiries.list.read(location.search)).toEqual({ ...first, q: 'dana', status: 'quarantine' });
  });
});
