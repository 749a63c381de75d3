/** Widths in which the image CDN serves an image, in pixels (docs/product.md#pictures). */
const widths = [400, 800, 1200, 1600];

/**
 * Returns the URL at which the image CDN serves an image of this site with a given width and quality 85
 * (docs/product.md#pictures).
 */
export function resizedUrl(address: string, width: number): string {
  return `/.netlify/images?url=${encodeURIComponent(address)}&w=${width}&q=85`;
}

/**
 * Returns the URLs of an image in several widths with quality 85 (docs/product.md#pictures). Images on other sites and
 * SVG files keep their own URL.
 * @param address an https URL, or a path on this site.
 */
export function pictureSources(address: string): { src: string; srcset?: string } {
  if (!address.startsWith('/') || /\.svg$/i.test(address)) return { src: address };
  return {
    src: resizedUrl(address, 800),
    srcset: widths.map((width) => `${resizedUrl(address, width)} ${width}w`).join(', '),
  };
}
