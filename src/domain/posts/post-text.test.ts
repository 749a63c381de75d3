import { expect, test } from 'vitest';
import { longestDescription, textOfHtml } from '../text/text.ts';
import { postDescription, readingMinutes, shownDate } from './post-text.ts';

test('A post shows its publication date, or else its creation date', () => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  expect(shownDate({ publishedAt: null, createdAt })).toBe(createdAt);
  expect(shownDate({ publishedAt: '2026-02-01T00:00:00.000Z', createdAt })).toBe('2026-02-01T00:00:00.000Z');
});

test('The reading time is one minute per 220 words, and at least one minute', () => {
  expect(readingMinutes('<p>one</p>')).toBe(1);
  expect(readingMinutes(`<p>${'word '.repeat(660)}</p>`)).toBe(3);
});

test('Search engines get the excerpt, or else the beginning of the text, cut between words', () => {
  expect(postDescription({ title: 'T', excerpt: 'Short.', content: '<p>a</p>' })).toBe('Short.');
  const begun = postDescription({ title: 'T', excerpt: null, content: `<p>${'word '.repeat(60)}</p>` });
  expect(begun).toMatch(/^(word )*word…$/);
  expect(begun.length).toBeLessThanOrEqual(longestDescription);
});

test('The words of a post are its text without markup', () => {
  expect(textOfHtml('<p>a&nbsp;&lt;b&gt;</p><ul><li>c</li><li>d</li></ul>')).toBe('a <b> c d');
});
