import type { Page } from 'playwright';

interface Shift {
  /** In the unit of web.dev. */
  readonly value: number;
  /** The HTML or text of what moved. */
  readonly moved: string;
}

/**
 * Watches the layout shifts of a page. Call it before the page is opened. @returns a function that waits until the
 * page's fonts are shown, and lists the shifts so far of at least this value. A word that moves a few pixels in its line,
 * because the letters before it changed, is less than 0.001.
 */
export async function watchShifts(page: Page): Promise<(least?: number) => Promise<Shift[]>> {
  await page.addInitScript(() => {
    type ShiftEntry = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    const shifts: Shift[] = [];
    const note = (entries: PerformanceEntryList) => {
      for (const { value, sources } of entries as ShiftEntry[]) {
        const moved = sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 80) ?? node?.textContent);
        shifts.push({ value, moved: moved.join() });
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
  return async (least = 0.001) => {
    const shifts: Shift[] = await page.evaluate('shiftsSoFar()');
    return shifts.filter(({ value }) => value >= least);
  };
}
