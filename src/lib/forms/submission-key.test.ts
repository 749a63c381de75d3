import { afterEach, expect, test, vi } from 'vitest';
import { newSubmissionKey } from './submission-key.ts';

afterEach(() => vi.unstubAllGlobals());

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('every key is a new random UUID', () => {
  expect(newSubmissionKey()).toMatch(uuid4);
  expect(newSubmissionKey()).not.toBe(newSubmissionKey());
});

test('a page without a secure context gets one too', () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
  const keys = Array.from({ length: 50 }, newSubmissionKey);
  for (const key of keys) expect(key).toMatch(uuid4);
  expect(new Set(keys).size).toBe(50);
});
