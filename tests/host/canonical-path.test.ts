import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalPath } from '../../host/http/canonical-path.ts';

test.each([
  ['/', '/'],
  ['/contact', '/contact'],
  ['/contact/', '/contact'],
  ['//contact', '/contact'],
  ['/%61dmin', '/admin'],
  ['/%2561dmin', '/%2561dmin'],
  ['/a%20b', '/a%20b'],
  ['/a|b', '/a%7Cb'],
  ['/a%40b', '/a@b'],
  ['/caf%C3%A9', '/caf%C3%A9'],
  ['//evil.example', '/evil.example'],
  ['///evil.example/..//', null],
  ['/%2Fevil.example', null],
  ['/\\evil.example', null],
  ['/%5cevil.example', null],
  ['/.', null],
  ['/%2e%2e/secret', null],
  ['/blog/%ff', null],
  ['/%E0%A4%A', null],
  ['/a%00b', null],
  ['/a%0d%0aset-cookie:b', null],
])('the canonical spelling of %s is %s', (pathname, expected) => {
  expect(canonicalPath(pathname)).toBe(expected);
});

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
