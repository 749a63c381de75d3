/**
 * Generates the site's two font files from the npm packages of the font families:
 *
 * node scripts/fonts.mjs
 *
 * Each file is small enough for one round trip (14 KB). The results are committed, so neither a build nor a visitor
 * needs the packages. Run this command again after a change of the characters, weights or families below. For another
 * family, src/styles/fonts.css needs other metrics of its fallback font.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import subsetFont from 'subset-font';

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
const marks = '\u00a0©·×–—‘’“”…→';
/** Accented letters that are common in names. */
const accents = 'ÁÉÍÑÓÖÜáäçèéêëíïñóôöúü';

const families = [
  {
    name: 'newsreader',
    source: 'files/newsreader-latin-standard-normal.woff2',
    characters: ascii + marks,
    // Only the letterforms for large text (`opsz`, optical size), because the site uses this serif only for large text.
    axes: { opsz: 72, wght: 450 },
  },
  {
    name: 'geist',
    source: 'files/geist-latin-wght-normal.woff2',
    characters: ascii + marks + accents,
    axes: { wght: { min: 400, max: 600, default: 400 } },
  },
];

const target = new URL('../src/styles/fonts/', import.meta.url);

for (const { name, source, characters, axes } of families) {
  const from = new URL(`../node_modules/@fontsource-variable/${name}/`, import.meta.url);
  const subset = await subsetFont(await readFile(new URL(source, from)), characters, {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum'],
    noHinting: true,
    variationAxes: axes,
  });
  await writeFile(new URL(`${name}.woff2`, target), subset);
  await copyFile(new URL('LICENSE', from), new URL(`${name}-license.txt`, target));
  console.log(`${name}.woff2: ${subset.length} bytes`);
}
