import { expect, test } from 'vitest';
import { parseable } from './html.ts';

test.for([
  ['<p style="color:red" class=a>b</p><script>x()</script>', '<p data-style="color:red" class=a>b</p>'],
  ['<p class="a"style="color:red">b</p>', '<p class="a"data-style="color:red">b</p>'],
  ['<style>p { color: red }</style><p>b</p>', '<p>b</p>'],
  ['<p>b</p><STYLE>p { color: red }', '<p>b</p>'],
] as const)('HTML that the site’s policy forbids never reaches the browser’s parser: %s', ([html, left]) => {
  expect(parseable(html)).toBe(left);
});
