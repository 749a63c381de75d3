import type { Random } from './random.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));

/** Creates a one-page PDF with these lines. Drops characters outside Latin-1. */
export function pdfOf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line.replace(/[^\x20-\xff]/g, '').replace(/[\\()]/g, '\\$&')}) Tj T*`);
  const page = `BT /F1 11 Tf 16 TL 56 730 Td\n${shown.join('\n')}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const entries = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  return bytesOf(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

export const textOf = (lines: readonly string[]): Uint8Array<ArrayBuffer> => bytesOf(`${lines.join('\n')}\n`);

export const pictureFormats = ['jpeg', 'png', 'webp'] as const;
const sizes = [
  [1200, 800],
  [1600, 900],
  [1000, 1000],
  [900, 1200],
] as const;

/** Draws an image of ledger paper: ruled lines, green bars, and a line that ends in a circle. */
export async function pictureOf(
  random: Random,
  format: (typeof pictureFormats)[number],
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const [width, height] = random.pick(sizes);
  const [ink, accent, pale, mark] = random.pick([
    ['#16211b', '#0b4f36', '#cfe3d6', '#a62b14'],
    ['#16211b', '#35624d', '#e3e8d6', '#0b4f36'],
    ['#e8eee9', '#8fd3ab', '#28463a', '#f0a08f'],
  ] as const);
  const paper = ink === '#e8eee9' ? '#101a15' : '#f6f1e6';
  const row = height / 12;
  const columns = random.between(6, 10);
  const step = (width * 0.84) / columns;
  const heights = Array.from({ length: columns }, (_, index) => random.between(2, 5) + (index * 4) / columns);
  const floor = height - row;
  const at = (index: number) => width * 0.08 + index * step;
  const rules = Array.from({ length: 11 }, (_, index) => `M0 ${row * (index + 1)}H${width}`).join('');
  const bars = heights.map((units, index) => {
    const fill = index % 3 === 2 ? accent : pale;
    return `<rect x="${at(index)}" y="${floor - units * row}" width="${step * 0.6}" height="${units * row}" fill="${fill}"/>`;
  });
  const points = heights.map((units, index) => [at(index) + step * 0.3, floor - (units + 0.8) * row] as const);
  const [endX, endY] = points.at(-1)!;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="${paper}"/><path d="${rules}" stroke="${ink}" stroke-opacity="0.18"/>
    ${bars.join('')}<path d="M0 ${floor}H${width}M0 ${floor + 6}H${width}" stroke="${ink}" stroke-width="2"/>
    <polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${mark}" stroke-width="6"/>
    <circle cx="${endX}" cy="${endY}" r="14" fill="${mark}"/></svg>`;
  return Uint8Array.from(await sharp(Buffer.from(drawing)).toFormat(format, { quality: 82 }).toBuffer());
}
