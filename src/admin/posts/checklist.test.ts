import { describe, expect, test } from 'vitest';
import { checklistOf } from './checklist.ts';

const fine = { title: 'Close faster', excerpt: 'How to.', featuredImage: '', content: '<p>a</p>' };

describe('Before a post is published', () => {
  test('nothing is said of one that is in order', () => {
    expect(
      checklistOf(fine, [
        { kind: 'heading', place: 0, level: 2, text: 'Why' },
        { kind: 'heading', place: 9, level: 3, text: 'How' },
        { kind: 'heading', place: 19, level: 2, text: 'When' },
        { kind: 'picture', place: 29, described: true },
        { kind: 'link', place: 39, address: '/contact', text: 'ask us' },
      ]),
    ).toEqual([]);
  });

  test.for([
    [{ ...fine, title: 'x'.repeat(61) }, { field: 'title' }, 'The title has 61 characters'],
    [{ ...fine, excerpt: ' ' }, { field: 'excerpt' }, 'No excerpt'],
    [{ ...fine, excerpt: 'x'.repeat(161) }, { field: 'excerpt' }, 'The excerpt has 161 characters'],
    [{ ...fine, content: '<h1>a</h1>' }, { field: 'content' }, 'The text has a heading 1'],
  ] as const)('a hint leads to the field that it is about: %j', ([fields, at, words]) => {
    const [hint] = checklistOf(fields, []);
    expect(hint).toMatchObject({ at });
    expect(hint?.text).toContain(words);
  });

  test.for([
    [{ kind: 'heading', place: 5, level: 3, text: 'Deep' }, '“Deep” is a heading 3 below a heading 1.'],
    [{ kind: 'heading', place: 5, level: 2, text: ' ' }, 'A heading is empty.'],
    [{ kind: 'picture', place: 5, described: false }, 'A picture has no description.'],
    [
      { kind: 'link', place: 5, address: '/a', text: 'Click here' },
      'The link “Click here” does not say where it leads.',
    ],
    [
      { kind: 'link', place: 5, address: 'https://a.b', text: 'https://a.b' },
      'A bare address stands in the text: https://a.b',
    ],
  ] as const)('a hint leads to the place in the text: %j', ([item, text]) => {
    expect(checklistOf(fine, [item])).toEqual([{ id: `${item.kind}-5`, text, at: { place: 5 } }]);
  });
});
