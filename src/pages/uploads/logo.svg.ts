import type { APIRoute } from 'astro';
import * as fontkit from 'fontkit';
import { site } from '../../site.config.ts';
import fontFile from '../../styles/fonts/newsreader.woff2?inline';

const mostWide = 200;
const mostHigh = 34;

/**
 * Serves the default logo, 200x60: the firm's name above a double line. `/uploads/logo` serves this logo until an admin
 * uploads another. The letters are outlines, because an image cannot use a page's fonts.
 */
export const GET: APIRoute = () => {
  const font = fontkit.create(Buffer.from(fontFile.slice(fontFile.indexOf(',') + 1), 'base64')) as fontkit.Font;
  const { glyphs, positions, advanceWidth } = font.layout(site.name);
  const scale = Math.min(mostHigh / font.unitsPerEm, mostWide / advanceWidth);
  let x = 0;
  const outlines = glyphs.map((glyph, index) => {
    const path = glyph.path.scale(scale, -scale).translate(x, 37).toSVG();
    x += (positions[index]?.xAdvance ?? 0) * scale;
    return path;
  });
  const name = outlines
    .join('')
    .replace(/-?(?<!\d)\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10));
  const width = Math.round(advanceWidth * scale);
  /*
   * Many versions of Safari show images in the light scheme on a dark page (https://bugs.webkit.org/show_bug.cgi?id=199134).
   * There, the dark letters need a light edge. On a light page, nobody sees it. Only Safari has `hanging-punctuation`.
   */
  const edge = '@supports(hanging-punctuation:first){path{stroke:#f5f1e6;stroke-width:1.5;paint-order:stroke}}';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60" viewBox="0 0 200 60"><style>path{fill:#13201a}${edge}@media(prefers-color-scheme:dark){path{fill:#f2f3e9;stroke:none}}</style><path d="${name}M0 47h${width}v1.5H0zM0 51h${width}v1.5H0z"/></svg>`;
  return new Response(svg, { headers: { 'content-type': 'image/svg+xml' } });
};
