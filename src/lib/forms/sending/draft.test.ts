import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftStore } from './draft.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('invalid data is not a draft', () => {
  for (const text of ['', '{', '[]', '{"values":{"a":1},"since":1}', '{"values":{}}']) {
    stored.set('draft:contact:section', text);
    expect(draftStore('contact', 'section').read()).toBeUndefined();
  }
});
