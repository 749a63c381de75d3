import type { APIRoute } from 'astro';
import * as fontkit from 'fontkit';
import { site } from '../../site.config.ts';
import font from '../../styles/fonts/newsreader.woff2?inline';

const size = 34;
const widest = 200;
const baseline = 37;

/**
 * The default logo, 200x60: the firm's name with the double rule of a total under it. The letters are outlines, since a
 * picture cannot use a page's fonts. It stands at `/uploads/logo` until an admin uploads another (netlify.toml).
 */
export const GET: APIRoute = () => {
  const display = fontkit.create(Buffer.from(font.slice(font.indexOf(',') + 1), 'base64')) as fontkit.Font;
  const { glyphs, positions, advanceWidth } = display.layout(site.name);
  const scale = Math.min(size / display.unitsPerEm, widest / advanceWidth);
  let x = 0;
  const outlines = glyphs.map((glyph, index) => {
    const path = glyph.path.scale(scale, -scale).translate(x, baseline).toSVG();
    x += (positions[index]?.xAdvance ?? 0) * scale;
    return path;
  });
  const name = outlines.join('').replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10));
  const width = Math.round(x);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60" viewBox="0 0 200 60"><style>path{fill:#13201a}@media(prefers-color-scheme:dark){path{fill:#f2f3e9}}</style><path d="${name}M0 47h${width}v1.5H0zM0 51h${width}v1.5H0z"/></svg>`;
  return new Response(svg, { headers: { 'content-type': 'image/svg+xml' } });
};
