import { describe, expect, test } from 'vitest';
import { laidOut, lossOf, parseable } from './html-text.ts';

describe('The HTML view', () => {
  test('shows each block on its own line, and does not change code', () => {
    expect(laidOut('<h2>A</h2><p>b <em>c</em></p><ul><li><p>d</p></li></ul><pre><code>x</p>\n\n\ny</code></pre>')).toBe(
      '<h2>A</h2>\n<p>b <em>c</em></p>\n<ul>\n<li><p>d</p>\n</li>\n</ul>\n<pre><code>x</p>\n\n\ny</code></pre>',
    );
  });
});

describe('HTML that the visual editor does not fully support', () => {
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
