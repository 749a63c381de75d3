import { outlineOf, widthOf } from '../../../components/drawings/lettering.ts';
import { socialPictureSize } from '../../../components/social-picture.ts';
import { site } from '../../../site.config.ts';
import { color } from '../../../styles/color.ts';

interface Shown {
  readonly kicker: string;
  readonly headline: string;
  /** Markup inside the drawing's `<svg>` element, and its `viewBox`. */
  readonly drawing: { readonly box: string; readonly shapes: string };
}

const { width, height } = socialPictureSize;
const margin = 96;
const left = margin + 40;
const right = width - 56;
const foot = height - 56;
const drawnHeight = 180;
/** Font sizes of the headline with their maximum number of lines. The largest size that fits is used. */
const sizes = [
  { size: 88, lines: 2 },
  { size: 72, lines: 3 },
  { size: 56, lines: 4 },
];

const style = `
  path { fill: none; stroke: ${color('ink')}; stroke-width: 1.5 }
  .letters { fill: ${color('ink')}; stroke: none }
  .kicker { fill: ${color('accent')}; stroke: none }
  .margin { stroke: ${color('rule')} }
  .rules, .flow { stroke: ${color('rule-strong')}; stroke-width: 1 }
  .strong { stroke: ${color('accent')}; stroke-width: 2.5 }
  .alert { stroke: ${color('alert')}; stroke-width: 2.5 }
  .row { fill: ${color('highlight')} }
  .fill { fill: ${color('accent')} }
  .tick { stroke: ${color('accent')}; stroke-width: 3 }
  .records { stroke-width: 9; stroke-dasharray: 7 2 7 2 7 6 }
  .dots { stroke: ${color('accent')}; stroke-width: 12; stroke-linecap: round }
`;

/**
 * Returns a preview image of 1200x630 as SVG: a ledger page with the firm's name, the page's topic, and a drawing at
 * the bottom.
 */
export function socialPictureSvg({ kicker, headline, drawing }: Shown): string {
  const { size, lines } = setHeadline(headline);
  const first = 136 + size;
  const name = outlineOf(site.name, 'display', 40, { x: left, y: 84 });
  const nameWidth = Math.round(widthOf(site.name, 'display', 40));
  const kickerAt = { x: right - widthOf(kicker, 'text', 26), y: 82 };
  const place = `${site.address.city}, ${site.address.regionName}`;
  const [, , boxWidth = 1, boxHeight = 1] = drawing.box.split(' ').map(Number);
  const drawnWidth = (drawnHeight * boxWidth) / boxHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
  <style>${style}</style>
  <rect width="${width}" height="${height}" fill="${color('paper')}"/>
  <path class="margin" d="M${margin} 0v${height}M${margin + 5} 0v${height}"/>
  <path class="letters" d="${name}M${left} 97h${nameWidth}v2h-${nameWidth}zM${left} 102h${nameWidth}v2h-${nameWidth}z"/>
  <path class="kicker" d="${outlineOf(kicker, 'text', 26, kickerAt)}"/>
  <path class="letters" d="${lines.map((line, index) => outlineOf(line, 'display', size, { x: left, y: first + index * size * 1.06 })).join('')}"/>
  <path class="letters" d="${lines.map((_, index) => outlineOf(String(index + 1), 'text', 20, { x: margin - 34, y: first + index * size * 1.06 })).join('')}"/>
  <path class="letters" d="${outlineOf(place, 'text', 26, { x: left, y: foot - 28 })}"/>
  <path d="M${left} ${foot}H${right}M${left} ${foot + 7}H${right}"/>
  <svg x="${right - drawnWidth}" y="${foot - 24 - drawnHeight}" width="${drawnWidth}" height="${drawnHeight}" viewBox="${drawing.box}" overflow="visible">${drawing.shapes}</svg>
</svg>`;
}

function setHeadline(text: string): { size: number; lines: string[] } {
  for (const { size, lines: most } of sizes) {
    let lines = linesOf(text, size, right - left);
    if (lines.length > most) continue;
    // Finds the narrowest width with the same number of lines, so the lines have similar lengths.
    for (let narrower = right - left; narrower > 0; narrower -= 16) {
      const next = linesOf(text, size, narrower);
      if (next.length > lines.length) break;
      lines = next;
    }
    return { size, lines };
  }
  const { size, lines: most } = sizes.at(-1)!;
  return { size, lines: linesOf(text, size, right - left).slice(0, most) };
}

function linesOf(text: string, size: number, widest: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && widthOf(longer, 'display', size) <= widest) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
