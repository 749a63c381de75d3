import { expect, test } from 'vitest';
import { editDistance, suggestionsFor, wordsOf } from './suggestions.ts';

const known = [
  '/contact',
  '/join-team',
  '/blog',
  '/services',
  '/services/implementation',
  '/services/support',
  '/services/project-rescue',
  '/project-rescue',
  '/resources',
  '/resources/suitescript-guide',
  '/resources/project-recovery',
];

test.each([
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['contact', 'contcat', 1],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('the distance between %s and %s is %i', (one, other, distance) => expect(editDistance(one, other)).toBe(distance));

test.each([
  ['/contcat', '/contact'],
  ['/Contact.html', '/contact'],
  ['/service/implementation/', '/services/implementation'],
  ['/suitescript-guide', '/resources/suitescript-guide'],
  ['/resources/suite_script-guide', '/resources/suitescript-guide'],
  ['/resource', '/resources'],
  ['/join-the-team', '/join-team'],
  ['/servces/suport', '/services/support'],
])('a visitor who enters %s probably wants %s', (typed, wanted) => {
  expect(suggestionsFor(typed, known)[0]).toBe(wanted);
});

test.each(['/wp-login.php', '/a', '/', '/%E0%A4%A', '/something/else/entirely'])(
  '%s is similar to no page',
  (typed) => {
    expect(suggestionsFor(typed, known)).toEqual([]);
  },
);

test('there are at most three suggestions', () => {
  expect(suggestionsFor('/project-rescu', known).length).toBeLessThanOrEqual(3);
});

test('the words of a URL become the search words', () => {
  expect(wordsOf('/Old_Guides/saved-search%20tips.html')).toBe('old guides saved search tips');
  expect(wordsOf('/%E0%A4/')).toBe('e0 a4');
});
