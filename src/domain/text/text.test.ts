import { expect, test } from 'vitest';
import { listText, sizeText } from './text.ts';

test('A list in a sentence has "and" before its last item', () => {
  expect([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map(listText)).toEqual(['', 'A', 'A and B', 'A, B, and C']);
});

test.for([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1_234_567, '1.18 MB'],
  [10_485_760, '10 MB'],
  [5 * 1024 ** 3, '5 GB'],
  [5 * 1024 ** 4, '5120 GB'],
] as const)('%i bytes are shown as %s', ([bytes, text]) => {
  expect(sizeText(bytes)).toBe(text);
});
