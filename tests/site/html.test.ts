import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { expect, test } from 'vitest';
import { files, read } from './built-site.ts';

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // These rules are about style. React and Astro write valid HTML that breaks them.
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'input-attributes': 'off',
      'no-implicit-button-type': 'off',
      'no-implicit-input-type': 'off',
      'void-style': 'off',
      'no-raw-characters': ['error', { relaxed: true }],
      'valid-id': ['error', { relaxed: true }],
      // The rule requires non-breaking spaces, so that phone numbers do not wrap. Here, each has a line to itself.
      'tel-non-breaking': 'off',
      'long-title': ['error', { maxlength: 80 }],
      'no-inline-style': 'error',
      // One form is a checklist, which is never sent, so it needs no submit button.
      'wcag/h32': 'off',
    },
  }),
);

/** Errors inside a template are expected, because a script completes the template in the browser. */
const known = /> template >/;

test.each(files.filter((file) => file.endsWith('.html')))('%s is valid HTML', async (file) => {
  const { results } = await validator.validateString(read(file).toString(), file);
  const faults = results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`)
    .filter((fault) => !known.test(fault));
  expect(faults).toEqual([]);
});
