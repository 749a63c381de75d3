/**
 * Generates the site's two font files, and the style sheet that names them, from the npm packages of the font families:
 *
 * node scripts/fonts.ts
 *
 * Each file is small enough for one round trip (14 KB). The results are committed, so neither a build nor a visitor
 * needs the packages. Run this command again after a change of the characters, weights or families below.
 */
import { readFile, writeFile } from 'node:fs/promises';
import * as fontkit from 'fontkit';
import subsetFont from 'subset-font';

interface Family {
  readonly name: string;
  readonly package: string;
  readonly source: string;
  readonly output: string;
  readonly characters: string;
  /** The variable axes of the font file: a range or a single value for each. */
  readonly axes: Record<string, number | { min: number; max: number; default?: number }>;
  readonly fontWeight: string;
  readonly display: 'swap' | 'optional';
  /**
   * The installed font that browsers show while the file loads, and its average width in em (see {@link averageWidth}).
   */
  readonly fallback: { readonly local: readonly string[]; readonly width: number };
}

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
const marks = '\u00a0©·×–—‘’“”…→';
/** Accented letters that are common in names. */
const accents = 'ÁÉÍÑÓÖÜáäçèéêëíïñóôöúü';

const families: readonly Family[] = [
  {
    name: 'Newsreader',
    package: '@fontsource-variable/newsreader',
    source: 'files/newsreader-latin-standard-normal.woff2',
    output: 'newsreader.woff2',
    characters: ascii + marks,
    // Only the letterforms for large text (`opsz`, optical size), because the site uses this serif only for large text.
    axes: { opsz: 72, wght: 450 },
    fontWeight: '450',
    // `swap`, because headings should always show the firm's typeface. Headings are short, and the fallback breaks
    // their lines at the same words.
    display: 'swap',
    fallback: { local: ['Times New Roman', 'Noto Serif'], width: 0.3983 },
  },
  {
    name: 'Geist',
    package: '@fontsource-variable/geist',
    source: 'files/geist-latin-wght-normal.woff2',
    output: 'geist.woff2',
    characters: ascii + marks + accents,
    axes: { wght: { min: 400, max: 600, default: 400 } },
    fontWeight: '400 600',
    // `optional`: if the font is not loaded by the first paint, the page keeps the fallback font, so no line breaks
    // change while a visitor reads.
    display: 'optional',
    fallback: { local: ['Arial', 'Roboto'], width: 0.4396 },
  },
];

/**
 * The frequency of each character in English text, in percent. All widths in this file are based on these frequencies.
 */
const frequencies: Readonly<Record<string, number>> = {
  ' ': 18.3, e: 10.3, t: 7.5, a: 6.5, o: 6.2, n: 5.7, i: 5.7, s: 5.3, r: 5, h: 5, l: 3.3, d: 3.3, u: 2.3, c: 2.2,
  m: 2, f: 2, w: 1.7, g: 1.6, p: 1.5, y: 1.4, b: 1.3, v: 0.8, k: 0.6, x: 0.1, j: 0.1, q: 0.1, z: 0.1,
}; // prettier-ignore

/**
 * Returns the average width in em, weighted by {@link frequencies}. The widths of Arial and Times New Roman above were
 * measured in the same way.
 */
function averageWidth(font: fontkit.Font): number {
  const total = Object.values(frequencies).reduce((sum, share) => sum + share, 0);
  const weighed = Object.entries(frequencies).reduce(
    (sum, [character, share]) => sum + share * font.layout(character).advanceWidth,
    0,
  );
  return weighed / total / font.unitsPerEm;
}

const percent = (value: number) => `${Number((value * 100).toFixed(2))}%`;
const target = new URL('../src/styles/fonts/', import.meta.url);

async function make(family: Family): Promise<string> {
  const root = new URL(`../node_modules/${family.package}/`, import.meta.url);
  const subset = await subsetFont(await readFile(new URL(family.source, root)), family.characters, {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    noHinting: true,
    variationAxes: family.axes,
  });
  await writeFile(new URL(family.output, target), subset);
  await writeFile(
    new URL(family.output.replace('.woff2', '-license.txt'), target),
    await readFile(new URL('LICENSE', root)),
  );
  console.log(`${family.output}: ${subset.length} bytes`);

  const font = fontkit.create(subset) as fontkit.Font;
  const scale = averageWidth(font) / family.fallback.width;
  const vertical = (value: number) => percent(Math.abs(value) / font.unitsPerEm / scale);
  return `@font-face {
  font-family: '${family.name}';
  src: url('./fonts/${family.output}') format('woff2');
  font-weight: ${family.fontWeight};
  font-display: ${family.display};
}

/* Metrics match the web font, so the layout does not shift when the web font loads. */
@font-face {
  font-family: '${family.name} fallback';
  src: ${family.fallback.local.map((name) => `local('${name}')`).join(', ')};
  size-adjust: ${percent(scale)};
  ascent-override: ${vertical(font.ascent)};
  descent-override: ${vertical(font.descent)};
  line-gap-override: ${vertical(font.lineGap)};
}
`;
}

const faces = await Promise.all(families.map(make));
const note = '/* Generated by scripts/fonts.ts. */\n';
await writeFile(new URL('../fonts.css', target), `${note}${faces.join('\n')}`);
