import { expect, test } from 'vitest';
import { offersOf } from './offers.ts';
import { type PostForm, emptyForm, isBlank, missingIn, sameWriting } from '../post-form.ts';

const form = (changes: Partial<PostForm>): PostForm => ({ ...emptyForm, ...changes });
const draft = (title: string, savedAt: string, sitting = savedAt) => ({
  key: 'k',
  postId: null,
  revision: null,
  sitting,
  savedAt,
  form: form({ title }),
});

test('unsaved text is offered with the latest first, and the same text once', () => {
  const kept = [draft('old', '2026-01-01'), draft('new', '2026-01-03'), draft('old', '2026-01-02')];
  expect(offersOf(kept, emptyForm, new Set()).map(({ savedAt }) => savedAt)).toEqual(['2026-01-03', '2026-01-02']);
});

test('blank text, saved text, and text that is open in another tab are not offered', () => {
  const kept = [draft(' ', '1'), draft('saved', '2'), draft('elsewhere', '3', 'tab')];
  expect(offersOf(kept, form({ title: 'saved' }), new Set(['tab']))).toEqual([]);
});

test('a form is blank until text is typed, even if a box is checked', () => {
  expect(isBlank(form({ status: 'published', keepOriginalDate: true }))).toBe(true);
  expect(isBlank(form({ content: '<p>a</p>' }))).toBe(false);
  expect(sameWriting(form({ title: 'a ' }), form({ title: 'a', keepOriginalDate: true }))).toBe(true);
});

test('title, slug and content must contain readable text', () => {
  expect(missingIn(emptyForm)).toEqual(['title', 'slug', 'content']);
  expect(missingIn(form({ title: 'a', slug: 'a', content: '<p>&nbsp;</p><hr>' }))).toEqual(['content']);
  expect(missingIn(form({ title: 'a', slug: 'a', content: '<img src="/a">' }))).toEqual([]);
});
