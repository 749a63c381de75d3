import { describe, expect, test } from 'vitest';
import { checklistOf } from './checklist.ts';

const fine = { title: 'Close faster', excerpt: 'How to.', featuredImage: '', content: '<p>a</p>' };

describe('Before a post is published', () => {
  test('there is no hint if the post has no problems', () => {
    expect(
      checklistOf(fine, [
        { kind: 'heading', position: 0, level: 2, text: 'Why' },
        { kind: 'heading', position: 9, level: 3, text: 'How' },
        { kind: 'heading', position: 19, level: 2, text: 'When' },
        { kind: 'picture', position: 29, described: true },
        { kind: 'link', position: 39, address: '/contact', text: 'ask us' },
      ]),
    ).toEqual([]);
  });

  test.for([
    [{ ...fine, title: 'x'.repeat(61) }, { field: 'title' }, 'The title has 61 characters'],
    [{ ...fine, excerpt: ' ' }, { field: 'excerpt' }, 'No excerpt'],
    [{ ...fine, excerpt: 'x'.repeat(161) }, { field: 'excerpt' }, 'The excerpt has 161 characters'],
    [{ ...fine, content: '<h1>a</h1>' }, { field: 'content' }, 'The text has a level 1 heading'],
  ] as const)('a hint leads to the field that it is about: %j', ([fields, at, words]) => {
    const [hint] = checklistOf(fields, []);
    expect(hint).toMatchObject({ at });
    expect(hint?.text).toContain(words);
  });

  test.for([
    [
      { kind: 'heading', position: 5, level: 3, text: 'Deep' },
      '“Deep” is an H3 heading, but the heading before it is H1. Use H2.',
    ],
    [{ kind: 'heading', position: 5, level: 2, text: ' ' }, 'A heading is empty.'],
    [{ kind: 'picture', position: 5, described: false }, 'A picture has no description.'],
    [
      { kind: 'link', position: 5, address: '/a', text: 'Click here' },
      'The link “Click here” doesn’t say where it leads.',
    ],
    [
      { kind: 'link', position: 5, address: 'https://a.b', text: 'https://a.b' },
      'The text shows a web address instead of a link with words: https://a.b',
    ],
  ] as const)('a hint leads to its position in the text: %j', ([item, text]) => {
    expect(checklistOf(fine, [item])).toEqual([{ id: `${item.kind}-5`, text, at: { position: 5 } }]);
  });
});
