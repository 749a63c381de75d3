import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type CheerioAPI, load } from 'cheerio';

const dist = join(process.cwd(), 'dist');

export interface BuiltPage {
  /** The path on the site. */
  readonly path: string;
  /** The path of the file in `dist`. */
  readonly file: string;
  readonly html: string;
  /** The document, without the contents of templates. */
  readonly $: CheerioAPI;
  /** The contents of all style elements. */
  readonly css: string;
}

/** Returns the size of a text after Brotli compression at the highest level. It is the same on every machine. */
export function smallest(text: string): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

/** Returns the size of a file as a browser receives it: the build compresses files at the highest Brotli level. */
export function sentBytes(address: string): number {
  const compressed = join(dist, `${address}.br`);
  return statSync(existsSync(compressed) ? compressed : join(dist, address)).size;
}

/** The paths of all files that the build generated. */
export const files: readonly string[] = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `/${relative(dist, join(entry.parentPath, entry.name))}`);

export const read = (address: string): Buffer => readFileSync(join(dist, address));

/** The public pages. */
export const pages: readonly BuiltPage[] = files
  .filter((file) => file.endsWith('.html') && !/^\/(admin[/.]|unavailable\.html)/.test(file))
  .map((file) => {
    const html = read(file).toString();
    const $ = load(html);
    $('template').remove();
    const css = $('style').text();
    return { path: file.replace(/(^\/)?(index)?\.html$/, '$1') || '/', file, html, $, css };
  });

export function page(path: string): BuiltPage {
  const found = pages.find((candidate) => candidate.path === path);
  if (!found) throw new Error(`The build has no page ${path}.`);
  return found;
}

/** Returns the text of elements as a visitor reads it, without line breaks. */
export const textOf = (elements: { text(): string }): string => elements.text().replace(/\s+/g, ' ').trim();

export interface StructuredData {
  readonly '@type': string | readonly string[];
  readonly '@id': string;
  readonly [property: string]: unknown;
}

/** Returns the structured data of a page; empty for a page without any. */
export function graphOf({ $ }: BuiltPage): readonly StructuredData[] {
  const scripts = $('script[type="application/ld+json"]').toArray();
  return scripts.flatMap((script) => JSON.parse($(script).text())['@graph'] as StructuredData[]);
}

/**
 * Returns the paths of scripts and of everything that they import.
 * @param options.later also includes dynamic imports.
 */
export function scriptGraph(addresses: string[], { later = false } = {}): Set<string> {
  const seen = new Set<string>();
  const visit = (address: string): void => {
    if (seen.has(address)) return;
    seen.add(address);
    const code = read(address).toString();
    const statically = /(?:\bfrom|\bimport)\s*["'](\.\/[^"']+\.js)["']/g;
    const dynamically = /\bimport\(\s*["'`](\.\/[^"'`]+\.js)["'`]/g;
    for (const pattern of later ? [statically, dynamically] : [statically]) {
      for (const [, found] of code.matchAll(pattern)) if (found) visit(join('/_astro', found));
    }
  };
  addresses.forEach(visit);
  return seen;
}
