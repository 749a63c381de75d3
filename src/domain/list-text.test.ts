import { expect, test } from 'vitest';
import { listText } from './list-text.ts';

test('A list in a sentence has "and" before its last item', () => {
  expect([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map(listText)).toEqual(['', 'A', 'A and B', 'A, B, and C']);
});
