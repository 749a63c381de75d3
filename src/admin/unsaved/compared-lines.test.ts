import { describe, expect, test } from 'vitest';
import { compareLines, linesOf } from './compared-lines.ts';

describe('Two texts side by side', () => {
  test('have matching lines at the same height, and show the differences', () => {
    expect(compareLines(['a', 'b', 'c', 'd'], ['a', 'x', 'y', 'c'])).toEqual([
      { left: 'a', right: 'a', same: true },
      { left: 'b', right: 'x', same: false },
      { left: null, right: 'y', same: false },
      { left: 'c', right: 'c', same: true },
      { left: 'd', right: null, same: false },
    ]);
  });

  test('can both be empty, or one of them', () => {
    expect(compareLines([], [])).toEqual([]);
    expect(compareLines([], ['a'])).toEqual([{ left: null, right: 'a', same: false }]);
  });

  test('show every line of both texts, however long they are', () => {
    const [left, right] = ['l', 'r'].map((side) => Array.from({ length: 6_000 }, (_, line) => `${side}${line}`));
    const lines = compareLines([...left!, 'same'], ['same', ...right!]);
    expect(lines.flatMap((line) => line.left ?? [])).toEqual([...left!, 'same']);
    expect(lines.flatMap((line) => line.right ?? [])).toEqual(['same', ...right!]);
  });
});

test('the lines of a text are its blocks, and pictures are shown by their description', () => {
  expect(
    linesOf('<h2>A &amp; b</h2><p>c <em>d</em></p><ul><li><p>e</p></li></ul><img src="/x" alt="Chart"><img src="/y">'),
  ).toEqual(['A & b', 'c d', '• e', '[Picture: Chart]', '[Picture: no description]']);
  expect(
    linesOf('<table><tbody><tr><th><p>a</p></th><th>b</th></tr><tr><td><p></p></td><td></td></tr></tbody></table>'),
  ).toEqual(['a | b']);
});
