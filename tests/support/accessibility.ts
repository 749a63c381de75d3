import type { AxeResults, RunOptions } from 'axe-core';
import axe from 'axe-core';
import type { Page } from 'playwright';

const everything = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns the accessibility faults that axe finds, after all animations have ended: path, rule and element of each.
 * @param rules the rules to check; by default every rule of WCAG up to AAA, and the best practices.
 */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  // Does not wait for endless animations and scroll-driven animations, because they never end.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .filter(
        ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
      )
      .every(({ playState }) => playState !== 'running'),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: everything },
  };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations: AxeResults['violations'] = await page.evaluate(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${new URL(page.url()).pathname}: ${id} ${target.join(' ')}`),
  );
}
