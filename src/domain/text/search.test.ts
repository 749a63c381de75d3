import { expect, test } from 'vitest';
import { type SearchEntry, withinRoom } from './search.ts';

test('An index of any size fits the limit: first entries stay complete, then pages keep their beginning', () => {
  const entry = (changes: Partial<SearchEntry>): SearchEntry => ({
    kind: 'Article',
    href: '/a',
    title: 'A',
    text: 'x'.repeat(300),
    ...changes,
  });
  const entries = [
    entry({}),
    entry({ href: '/a#b', of: 'A' }),
    entry({ href: '/c' }),
    entry({ href: '/c#d', of: 'C' }),
  ];
  expect(withinRoom(entries, 1_200)).toEqual(entries);
  const kept = withinRoom(entries, 700);
  expect(kept.map(({ href, text }) => `${href} ${text.length}`)).toEqual(['/a 300', '/a#b 300', '/c 200']);
});
