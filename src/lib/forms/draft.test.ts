import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftPrefix, draftStore, type Draft } from './draft.ts';

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

const draft: Draft = { values: { company: 'Ledger & Co' }, since: 1, sent: { key: 'k', input: '{}' } };

test('each variant of a form keeps its own draft', () => {
  draftStore('contact', 'section').write(draft);
  expect([...stored.keys()]).toEqual([`${draftPrefix}contact:section`]);
  expect(draftStore('contact', 'section').read()).toEqual(draft);
  expect(draftStore('contact', 'floating').read()).toBeUndefined();
  draftStore('contact', 'section').clear();
  expect(stored.size).toBe(0);
});

test('invalid data is not a draft', () => {
  for (const text of ['', '{', '[]', '{"values":{"a":1},"since":1}', '{"values":{}}']) {
    stored.set('draft:contact:section', text);
    expect(draftStore('contact', 'section').read()).toBeUndefined();
  }
});

test('with blocked storage, nothing is stored and nothing fails', () => {
  vi.stubGlobal('sessionStorage', undefined);
  const store = draftStore('contact', 'section');
  store.write(draft);
  store.clear();
  expect(store.read()).toBeUndefined();
});
