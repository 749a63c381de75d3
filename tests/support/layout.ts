import type { Locator, Page } from 'playwright';

/** Returns by how many pixels the page is wider than its window; 0 or less if it fits. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Waits until an image is decoded, and returns its intrinsic width and height. */
export const sizeOf = (picture: Locator) =>
  picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
