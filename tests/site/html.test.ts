import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { expect, test } from 'vitest';
import { files, read } from './built-site.ts';

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // React and Astro write these their own way, which is as good in HTML.
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'input-attributes': 'off',
      'no-implicit-button-type': 'off',
      'no-implicit-input-type': 'off',
      'void-style': 'off',
      'no-raw-characters': ['error', { relaxed: true }],
      'valid-id': ['error', { relaxed: true }],
      // Numbers may break where the line ends: they stand alone in theirs.
      'tel-non-breaking': 'off',
      'long-title': ['error', { maxlength: 80 }],
      'no-inline-style': 'error',
      // A list to tick sends nothing.
      'wcag/h32': 'off',
    },
  }),
);

/** A template is filled in later. */
const known = /> template >/;

test.each(files.filter((file) => file.endsWith('.html')))('%s is the HTML that the standard asks for', async (file) => {
  const { results } = await validator.validateString(read(file).toString(), file);
  const faults = results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`)
    .filter((fault) => !known.test(fault));
  expect(faults).toEqual([]);
});
