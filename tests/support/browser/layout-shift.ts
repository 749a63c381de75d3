import type { Page } from 'playwright';

/**
 * Watches the layout shifts of a page. Call it before the page is opened. @returns a function that waits until the
 * page's fonts are shown, and lists what moved so far, by how much.
 */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    const shifts: string[] = [];
    const note = (entries: PerformanceEntryList) => {
      for (const { value, sources } of entries as Shift[]) {
        const moved = sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 80) ?? node?.textContent);
        // A word that moves a few pixels in its line, because the letters before it changed, is less than 0.001.
        if (value >= 0.001) shifts.push(`${value.toFixed(4)}: ${moved.join(', ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, {
      shiftsSoFar: async () => {
        await document.fonts.ready;
        // The browser reports a shift after the frame that shows it.
        for (let frame = 0; frame < 3; frame += 1) await new Promise((shown) => requestAnimationFrame(shown));
        note(observer.takeRecords());
        return shifts;
      },
    });
  });
  return () => page.evaluate('shiftsSoFar()');
}
