const pictured = /^\/(services|resources|contact$|join-team$|project-rescue$|ecommerce-integrations$)/;

/** Width and height in pixels, as previews want them. */
export const socialPictureSize = { width: 1200, height: 630 };

/**
 * The address of the picture that stands for a page in previews; src/pages/social makes it.
 * @param path of the page, without a slash at its end but for the home page.
 * @returns null for a page that the site's icon stands for (spec §1).
 */
export function socialPictureOf(path: string): string | null {
  if (path === '/') return '/social/home.png';
  if (/^\/blog(\/|$)/.test(path)) return '/social/blog.png';
  return pictured.test(path) ? `/social${path}.png` : null;
}
