import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright';

/** The minified source, because every page compiles the source anew. */
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

const everything = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** `color-contrast-enhanced` demands more, and both rules take a third of the time. */
const weaker = 'color-contrast';
/** Words of code take most of the time in an article with code, so only the first word of each color is checked. */
const repeated = '[data-same-color]';
function markRepeated(): void {
  const colors = new Set<string>();
  for (const word of document.querySelectorAll<HTMLElement>('.code .token')) {
    const { color } = getComputedStyle(word);
    word.toggleAttribute('data-same-color', colors.has(color));
    colors.add(color);
  }
}

/**
 * Returns the accessibility faults that axe finds, after all animations have ended: path, rule and element of each.
 * While a modal dialog is open, only the dialog is checked, because the rest of the page cannot be used.
 * @param options.only the rules to check; by default every rule of WCAG up to AAA, and the best practices.
 * @param options.except rules to leave out.
 */
export async function faultsOf(
  page: Page,
  { only, except = [] }: { only?: readonly string[]; except?: readonly string[] } = {},
): Promise<string[]> {
  // Does not wait for endless animations and scroll-driven animations, because they never end.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .filter(
        ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
      )
      .every(({ playState }) => playState !== 'running'),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  await page.evaluate(markRepeated);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: only ? { type: 'rule', values: [...only] } : { type: 'tag', values: everything },
    rules: Object.fromEntries([weaker, ...except].map((rule) => [rule, { enabled: false }])),
  };
  const run = `axe
    .run({ include: [document.querySelector('dialog:modal') ?? document], exclude: '${repeated}' }, ${JSON.stringify(options)})
    .then(({ violations }) => violations)`;
  const violations: AxeResults['violations'] = await page.evaluate(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${new URL(page.url()).pathname}: ${id} ${target.join(' ')}`),
  );
}
