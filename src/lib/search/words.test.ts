import { expect, test } from 'vitest';
import { comparable, extractOf, partsOf } from './words.ts';

const shown = (parts: readonly { text: string; found: boolean }[]) =>
  parts.map(({ text, found }) => (found ? `[${text}]` : text)).join('');

test.each([
  ['Payouts', 'payout'],
  ['searches', 'search'],
  ['processes', 'process'],
  ['entries', 'entry'],
  ['access', 'access'],
  ['Résumé', 'resume'],
  ['24X7', '24x7'],
])('%s is compared as %s', (word, plain) => expect(comparable(word)).toBe(plain));

test.each(['The', 's', ''])('“%s” is not a search word', (word) => {
  expect(comparable(word)).toBeNull();
});

test('Matching words are marked whole, regardless of their spelling', () => {
  expect(shown(partsOf('Saved searches, saved twice: researched', new Set(['saved', 'search'])))).toBe(
    '[Saved] [searches], [saved] twice: researched',
  );
});

test('An extract is the part with the most matches, cut between words', () => {
  const text = `Saved early. ${'Nothing of the kind here. '.repeat(12)}In the end a saved search is what counts. ${'And so on and on. '.repeat(20)}`;
  const extract = shown(extractOf(text, new Set(['saved', 'search'])));
  expect(extract).toMatch(/^… .*In the end a \[saved\] \[search\] is what counts\. .* …$/);
  expect(extract).not.toMatch(/\[Saved\] early/);
  expect(extract.length).toBeLessThan(210);
});

test('A text without matches is shown from its beginning, and a short text whole', () => {
  expect(shown(extractOf('One two three four', new Set(['five'])))).toBe('One two three four');
  expect(shown(extractOf('one two three four', new Set(['five']), 9))).toBe('one two …');
  expect(shown(extractOf('x'.repeat(500), new Set(['x'.repeat(500)])))).toBe(`[${'x'.repeat(500)}]`);
});
