import { afterEach, expect, test, vi } from 'vitest';
import { keepDrafts, readDrafts } from './section-draft.ts';

afterEach(() => vi.unstubAllGlobals());

test('A browser keeps the newest five unsaved drafts of a home text, and forgets them when none is left', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const drafts = ['1', '2', '3', '4', '5', '6'].map((title) => ({ title, content: '', metadata: '' }));
  keepDrafts('hero_title', drafts);
  expect(readDrafts('hero_title').map(({ title }) => title)).toEqual(['2', '3', '4', '5', '6']);
  keepDrafts('hero_title', []);
  expect(stored.size).toBe(0);
});
