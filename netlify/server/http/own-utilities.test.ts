import { expect, test } from 'vitest';
import { ownUtilities } from './own-utilities.ts';

const [before, after] = ['@layer base{a{color:red}}@layer utilities{', '}.own{margin:0}'];

/** Returns the reduced style sheet of a page with elements of these classes, and the new classes of each element. */
function compiled(rules: string, ...elements: string[]) {
  const lists = elements.map((classes) => classes.split(' '));
  const { css, classesOf } = ownUtilities(
    before + rules + after,
    lists.map((classes) => ({ classes, fixed: false })),
  );
  expect(css.startsWith(before) && css.endsWith(after)).toBe(true);
  return { rules: css.slice(before.length, -after.length), lists: lists.map(classesOf) };
}

test('Unused utilities are removed, and the utilities of an element become one class', () => {
  const page = compiled(
    '.flex{display:flex}.p-4{padding:1rem}.mt-2{margin-top:.5rem}',
    'line p-4 mt-2',
    'mt-2 p-4',
    'mt-2',
    'line',
  );
  expect(page.rules).toBe('.a{padding:1rem;margin-top:.5rem}.b{margin-top:.5rem}');
  expect(page.lists).toEqual([['line', 'a'], ['a'], ['b'], ['line']]);
});

test('A later utility still wins over an earlier one, whatever their order in the element', () => {
  const page = compiled('.p-2{padding:.5rem}.p-4{padding:1rem}.hover\\:p-2:hover{padding:.5rem}', 'hover:p-2 p-4 p-2');
  expect(page.rules).toBe('.a{padding:.5rem;padding:1rem}.a:hover{padding:.5rem}');
});

test('A media query contains only utilities that are used, and disappears with the last one', () => {
  const rules =
    '.p-4{padding:1rem}@media (width>=64rem){.xl\\:flex{display:flex}.xl\\:p-8{padding:2rem}}@media print{.print\\:hidden{display:none}}.\\[\\&_p\\]\\:p-4 p{padding:1rem}';
  expect(compiled(rules, 'p-4 xl:p-8 [&_p]:p-4').rules).toBe(
    '.a{padding:1rem}@media (width>=64rem){.a{padding:2rem}}.a p{padding:1rem}',
  );
});

test('Values in brackets, pseudo-elements and combined selectors are matched by their class', () => {
  const rules =
    '.p-\\[clamp\\(1rem\\,4vw\\,2\\.5rem\\)\\]{padding:clamp(1rem,4vw,2.5rem)}.before\\:top-4:before,.flex{top:1rem}';
  expect(compiled(rules, 'p-[clamp(1rem,4vw,2.5rem)] before:top-4').rules).toBe(
    '.a{padding:clamp(1rem,4vw,2.5rem)}.a:before{top:1rem}',
  );
});

test('A utility that refers to another element keeps its class, and so does that element', () => {
  const rules = '.p-4{padding:1rem}:is(:where(.group):hover .group-hover\\:underline){text-decoration-line:underline}';
  const page = compiled(rules, 'group p-4', 'group-hover:underline p-4');
  expect(page.rules).toBe(rules.replace('.p-4', '.a'));
  expect(page.lists).toEqual([
    ['group', 'a'],
    ['group-hover:underline', 'a'],
  ]);
});

test('A generated class never has the name of a class on the page', () => {
  expect(compiled('.p-4{padding:1rem}', 'a', 'p-4').lists).toEqual([['a'], ['b']]);
});

test('Braces in strings are text', () => {
  const rules = '.before\\:brace:before{content:"}{"}.p-4{padding:1rem}';
  expect(compiled(rules, 'before:brace').rules).toBe('.a:before{content:"}{"}');
});

test('A style sheet without utilities does not change', () => {
  expect(ownUtilities('a{color:red}', [{ classes: ['a'], fixed: false }]).css).toBe('a{color:red}');
});
