import type { Page } from 'playwright';

/** Returns by how many pixels the page is wider than its window; 0 or less if it fits. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
