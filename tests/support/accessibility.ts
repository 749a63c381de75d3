import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

const everything = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe objects to on a page as it stands once nothing moves any more: path, rule and place of each.
 * @param rules looks at these alone; else every rule of WCAG up to AAA, and the best practices.
 */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  // What goes on for ever, or goes with the scrolling, is no reason to wait.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .filter(
        ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
      )
      .every(({ playState }) => playState !== 'running'),
  );
  // Without frames to look into, one pass in the page itself does; the other way opens a page more each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(everything)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${new URL(page.url()).pathname}: ${id} ${target.join(' ')}`),
  );
}
