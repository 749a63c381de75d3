import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalPath } from '../../host/http/canonical-path.ts';

test('a canonical path stays the same, and never leads to another site', () => {
  const pieces = fc.constantFrom(
    '/',
    '//',
    '\\',
    '%2f',
    '%5C',
    '%',
    '%ff',
    '%61',
    'a',
    'B',
    '.',
    '..',
    '@',
    ':',
    'é',
    '|',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme' })), { maxLength: 12 }), (parts) => {
      const path = canonicalPath(`/${parts.join('')}`);
      if (path === null) return;
      expect(canonicalPath(path)).toBe(path);
      expect(new URL(path, 'https://site.test').origin).toBe('https://site.test');
      expect(new URL(path, 'https://site.test').pathname).toBe(path);
      expect(path).toMatch(/^\/(?![/\\])/);
    }),
    { numRuns: 2_000 },
  );
});
