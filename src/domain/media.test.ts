import { expect, test } from 'vitest';
import { mediaInput } from './media.ts';

test('A picture needs a description, or must be marked as decorative', () => {
  expect(mediaInput.safeParse({ alt: '  ' }).success).toBe(false);
  expect(mediaInput.parse({ alt: ' A ledger,\nopen ' })).toEqual({ alt: 'A ledger, open', decorative: false });
  expect(mediaInput.parse({ alt: '', decorative: true })).toEqual({ alt: '', decorative: true });
});
