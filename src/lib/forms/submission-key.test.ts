import { afterEach, expect, test, vi } from 'vitest';
import { newSubmissionKey } from './submission-key.ts';

afterEach(() => vi.unstubAllGlobals());

test('Every key is a new random UUID, also on a page without a secure context', () => {
  const { crypto } = globalThis;
  const keys = [newSubmissionKey(), newSubmissionKey()];
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
  keys.push(...Array.from({ length: 50 }, newSubmissionKey));
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(52);
});
