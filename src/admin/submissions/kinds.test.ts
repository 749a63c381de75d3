import { describe, expect, test, vi } from 'vitest';
import { kindIn, kinds } from './kinds.ts';

const { inquiries, applications } = kinds;
type View = ReturnType<typeof inquiries.list.read>;
const first: View = { status: 'inbox', q: '', sort: '-createdAt', after: '', open: undefined };

describe('The URL of the inbox', () => {
  test.for<Partial<View>>([
    { q: 'müller & söhne', sort: 'createdAt' },
    { after: 'WyIyMDI2Il0,WyIyMDI1Il0' },
    { status: 'quarantine', q: 'a+b=c#d', sort: 'createdAt', after: 'x', open: 'y' },
  ])('restores the view %j', (changes) => {
    const view = { ...first, ...changes };
    for (const { list } of [inquiries, applications]) expect(list.read(list.write(view))).toEqual(view);
  });

  test('omits default values, and names the applications', () => {
    expect([inquiries.list.write(first), applications.list.write(first)]).toEqual([
      '?tab=submissions',
      '?tab=submissions&list=applications',
    ]);
    expect(['', '?list=applications', '?list=x'].map(kindIn)).toEqual(['inquiries', 'applications', 'inquiries']);
  });

  test.for(['?status=all', '?sort=name', '?page=7', '?q=%20%20', '?utm=1'])(
    'still works with %s, which the site never writes',
    (search) => {
      expect(inquiries.list.read(search)).toEqual(first);
    },
  );

  test.for(['?application=x', '?list=applications&submission=x'])('opens the application of %s', (search) => {
    expect(kindIn(search)).toBe('applications');
    expect(applications.list.read(search)).toEqual({ ...first, open: 'x' });
  });

  test('shows the first page of a new filter, without an open row', () => {
    const location = { pathname: '/admin', search: '?q=dana&after=x&submission=y' };
    const pushState = (_state: unknown, _title: string, address: string) => {
      location.search = address.replace(location.pathname, '');
    };
    vi.stubGlobal('window', { location, history: { pushState }, dispatchEvent: () => true });
    inquiries.list.filter({ status: 'quarantine' });
    vi.unstubAllGlobals();
    expect(inquiries.list.read(location.search)).toEqual({ ...first, q: 'dana', status: 'quarantine' });
  });
});
