import * as fontkit from 'fontkit';
import displayFile from '../../styles/fonts/newsreader.woff2?inline';
import textFile from '../../styles/fonts/geist.woff2?inline';

const fontOf = (file: string): fontkit.Font =>
  fontkit.create(Buffer.from(file.slice(file.indexOf(',') + 1), 'base64')) as fontkit.Font;

const fonts = { display: fontOf(displayFile), text: fontOf(textFile) };

export type Face = keyof typeof fonts;

/** Widths in em by font and text. Cached, because choosing a headline's line breaks measures the same lines often. */
const widths = new Map<string, number>();

/** Returns the width of a line in pixels. */
export function widthOf(text: string, face: Face, size: number): number {
  const key = `${face} ${text}`;
  const font = fonts[face];
  const width = widths.get(key) ?? font.layout(text).advanceWidth / font.unitsPerEm;
  widths.set(key, width);
  return width * size;
}

/**
 * Converts a line of text to the outlines of its letters, because an image cannot use a page's web fonts.
 * @param at the left end of the baseline.
 * @returns path data for a path's `d` attribute, rounded to a tenth of a pixel.
 */
export function outlineOf(text: string, face: Face, size: number, at: { x: number; y: number }): string {
  const font = fonts[face];
  const { glyphs, positions } = font.layout(text);
  const scale = size / font.unitsPerEm;
  let x = at.x;
  const outlines = glyphs.map((glyph, index) => {
    const path = glyph.path.scale(scale, -scale).translate(x, at.y).toSVG();
    x += (positions[index]?.xAdvance ?? 0) * scale;
    return path;
  });
  return outlines.join('').replace(/-?(?<!\d)\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10));
}
