/** Width and height of a preview image in pixels; 1200x630 is the size that social networks recommend. */
export const socialPictureSize = { width: 1200, height: 630 };

/** Preview images of each kind of page: a file in public/social, by the first segment of the page's path. */
const pictures: Readonly<Record<string, string>> = {
  '': 'home',
  services: 'services',
  'project-rescue': 'services',
  'ecommerce-integrations': 'services',
  resources: 'resources',
  blog: 'blog',
  contact: 'contact',
  'join-team': 'join-team',
};

/**
 * Returns the path of a page's preview image.
 * @param path of the page; only the home page's path ends with a slash.
 * @returns null if the page has no image, so previews show the site's icon
 * (docs/product.md#search-engines-and-sharing).
 */
export function socialPictureOf(path: string): string | null {
  const picture = pictures[path.split('/')[1] ?? ''];
  return picture ? `/social/${picture}.png` : null;
}
