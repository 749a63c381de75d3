import type { Page } from 'playwright';
import { faultsOf } from '../browser/accessibility.ts';

/** The rules that depend on colors or sizes, and take two thirds of the time. */
const appearance = ['color-contrast-enhanced', 'target-size'];

/**
 * Returns what a person cannot use in the current state of a page: accessibility faults, parts wider than the screen,
 * and, on a phone, controls smaller than 44 px. The page needs touch.
 * @param options.looksLikeAnother true for a page whose colors and sizes were checked on another page.
 */
export async function stateFaults(
  page: Page,
  options: { widths?: number[]; looksLikeAnother?: boolean; only?: string[] } = {},
): Promise<string[]> {
  const { widths = [320, 390, 768, 1440], looksLikeAnother = false, only } = options;
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await tooWide(page, width)).map((fault) => `at ${width} px, ${fault}`));
    if (width !== 390) continue;
    faults.push(...(await tooSmall(page)));
    // Only a small screen has to scroll some parts.
    faults.push(...(await faultsOf(page, { only: ['scrollable-region-focusable'] })));
  }
  if (looksLikeAnother) return [...faults, ...(await faultsOf(page, { except: appearance }))];
  return [...faults, ...(await faultsOf(page, only ? { only } : {}))];
}

/** Only styles depend on the width, so no script has to run before the page is measured. */
function tooWide(page: Page, screenWidth: number): Promise<string[]> {
  return page.evaluate(async (width) => {
    while (innerWidth !== width) await new Promise(requestAnimationFrame);
    return [document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] > *, .list-rows')]
      .filter((element) => element.scrollWidth > Math.min(innerWidth, element.clientWidth))
      .map(({ localName, className, scrollWidth }) => `${localName} ${className} is ${scrollWidth} px wide`);
  }, screenWidth);
}

function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...(document.querySelector('dialog:modal') ?? document).querySelectorAll(
        'a, button, input, select, textarea, summary',
      ),
    ]
      // Excludes links in sentences and in tables, because they are as high as the line, and controls inside a label,
      // because the label enlarges them. The area of a stretched link is its row. Invisible controls have no size.
      .filter((control) => control.checkVisibility() && !control.closest('.honeypot, .skip-link, label, tr, [inert]'))
      .filter(
        (control) => !control.matches('a') || control.parentElement!.textContent.trim() === control.textContent.trim(),
      )
      .filter(
        (control) => !['::before', '::after'].some((part) => getComputedStyle(control, part).position === 'absolute'),
      )
      .filter((control) => !control.matches('[type=checkbox], [type=radio], [type=file]'))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
      .map(
        ({ control, box }) =>
          `${control.outerHTML.slice(0, 80)} is ${Math.round(box.width)} x ${Math.round(box.height)} px`,
      ),
  );
}
