import { describe, expect, test, vi } from 'vitest';
import { kindIn, kinds } from '../submissions/kinds.ts';
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
