import { describe, expect, test } from 'vitest';
import { isAllowedLink, linkOf } from './links.ts';

describe('A link in a post', () => {
  test.for(['https://a.example/b?c=d#e', 'http://old.example', 'mailto:a@b.example', '/services/support', '#costs'])(
    'can lead to %s',
    (address) => expect(isAllowedLink(address)).toBe(true),
  );

  test.for(['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'ftp://a.b', 'mailto:a'])(
    'cannot lead to %s',
    (address) => expect(isAllowedLink(address)).toBe(false),
  );
});

describe('Text that is typed as a link', () => {
  test.for([
    ['example.com', 'https://example.com'],
    ['example.com:8443/a', 'https://example.com:8443/a'],
    ['http://example.com/a', 'https://example.com/a'],
    ['sales@example.com', 'mailto:sales@example.com'],
    [' /contact ', '/contact'],
    ['javascript:alert(1)', null],
    ['just words', null],
    ['', null],
  ] as const)('%s becomes %s', ([typed, meant]) => {
    expect(linkOf(typed)).toBe(meant);
  });
});
