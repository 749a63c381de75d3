import { expect, test } from 'vitest';
import { newSubmissionKey } from './submission-key.ts';

test('every key is new, and valid in a header and in a URL', () => {
  const keys = Array.from({ length: 50 }, newSubmissionKey);
  for (const key of keys) expect(key).toMatch(/^\d+(-\d+){3}$/);
  expect(new Set(keys).size).toBe(50);
});
