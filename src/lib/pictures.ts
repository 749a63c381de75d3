/** Widths that the image host makes of a picture, in pixels (spec §9). */
const widths = [400, 800, 1200, 1600];

/**
 * The addresses under which a picture comes in several widths at quality 85 (spec §9). Pictures of other sites, and
 * drawings, come as they are.
 * @param address https, or a path of this site.
 */
export function pictureSources(address: string): { src: string; srcset?: string } {
  if (!address.startsWith('/') || /\.svg$/i.test(address)) return { src: address };
  const variant = (width: number) => `/.netlify/images?url=${encodeURIComponent(address)}&w=${width}&q=85`;
  return { src: variant(800), srcset: widths.map((width) => `${variant(width)} ${width}w`).join(', ') };
}
