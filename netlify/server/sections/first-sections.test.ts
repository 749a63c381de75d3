import { expect, test } from 'vitest';
import { readFirstSections } from './first-sections.ts';

test('If an entry is incomplete, the error names its key and field, and what to add', () => {
  const location = { label: 'Guarantee', where: 'Home, Guarantee' };
  expect(() =>
    readFirstSections({
      guarantee: { location: { where: 'Home', look: 'picture' }, title: 'Our guarantee' },
      terms: { title: 'Terms' },
      promise: { location: { ...location, herf: '/' }, content: 'Words' },
    }),
  ).toThrow(`content/sections/home.json is incomplete:
  - guarantee.location.label: Add the name of the section in the Content Editor.
  - guarantee.location.look: Choose "words" or "figure".
  - terms.location: Add the location of the section: label, where, href and title.
  - promise.title: Please enter a title.
  - promise.location: Remove herf, or correct the spelling.`);
});
