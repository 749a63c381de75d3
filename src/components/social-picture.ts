import { offeredServices } from '../domain/offered-services.ts';

const pictured = /^\/(services|resources|contact$|join-team$)/;

/** Width and height of a preview image in pixels; 1200x630 is the size that social networks recommend. */
export const socialPictureSize = { width: 1200, height: 630 };

/**
 * Returns the path of a page's preview image, which src/pages/social generates.
 * @param path of the page; only the home page's path ends with a slash.
 * @returns null if the page has no image, so previews show the site's icon
 * (docs/product.md#search-engines-and-sharing).
 */
export function socialPictureOf(path: string): string | null {
  if (path === '/') return '/social/home.png';
  if (/^\/blog(\/|$)/.test(path)) return '/social/blog.png';
  const isPictured = pictured.test(path) || offeredServices.some(({ landing }) => landing === path);
  return isPictured ? `/social${path}.png` : null;
}
