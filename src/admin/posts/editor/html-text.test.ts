import { describe, expect, test } from 'vitest';
import { lossOf, parseable } from './html-text.ts';

describe('HTML that the editor does not fully support', () => {
  test('is recognized by the elements that would be lost', () => {
    expect(lossOf('<figure><img src="/a"><figcaption>b</figcaption></figure>', '<img src="/a"><p>b</p>')).toEqual([
      'figcaption',
    ]);
    // The editor drops a figure that contains only an image. No content is lost.
    expect(lossOf('<figure><img src="/a"></figure>', '<img src="/a">')).toEqual([]);
  });

  test('does not include HTML with the same meaning', () => {
    expect(lossOf('<div><b>a</b><br><i>b</i></div>', '<p><strong>a</strong><br><em>b</em></p>')).toEqual([]);
  });
});

test.for([
  ['<p style="color:red" class=a>b</p><script>x()</script>', '<p data-style="color:red" class=a>b</p>'],
  ['<p class="a"style="color:red">b</p>', '<p class="a"data-style="color:red">b</p>'],
  ['<style>p { color: red }</style><p>b</p>', '<p>b</p>'],
  ['<p>b</p><STYLE>p { color: red }', '<p>b</p>'],
] as const)('HTML that the site’s policy forbids never reaches the browser’s parser: %s', ([html, left]) => {
  expect(parseable(html)).toBe(left);
});
