import { describe, expect, test } from 'vitest';
import { parseable } from './html.ts';
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

test.for([
  ['example.com', 'https://example.com'],
  ['example.com:8443/a', 'https://example.com:8443/a'],
  ['http://example.com/a', 'https://example.com/a'],
  ['sales@example.com', 'mailto:sales@example.com'],
  [' /contact ', '/contact'],
  ['javascript:alert(1)', null],
  ['just words', null],
  ['', null],
] as const)('Text that is typed as a link, %s, becomes %s', ([typed, meant]) => {
  expect(linkOf(typed)).toBe(meant);
});

test.for([
  ['<p style="color:red" class=a>b</p><script>x()</script>', '<p data-style="color:red" class=a>b</p>'],
  ['<p class="a"style="color:red">b</p>', '<p class="a"data-style="color:red">b</p>'],
  ['<style>p { color: red }</style><p>b</p>', '<p>b</p>'],
  ['<p>b</p><STYLE>p { color: red }', '<p>b</p>'],
] as const)('HTML that the site’s policy forbids never reaches the browser’s parser: %s', ([html, left]) => {
  expect(parseable(html)).toBe(left);
});
