import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type CheerioAPI, load } from 'cheerio';

const dist = join(process.cwd(), 'dist');

export interface BuiltPage {
  /** The path on the site. */
  readonly path: string;
  readonly html: string;
  /** The document, without the contents of templates. */
  readonly $: CheerioAPI;
  /** The contents of all style elements. */
  readonly css: string;
}

/** Returns the Brotli size in bytes at the highest compression level. The size is the same on every machine. */
export function brotliSize(text: string | Buffer): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

/** The paths of all files that the build generated. */
export const files: readonly string[] = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `/${relative(dist, join(entry.parentPath, entry.name))}`);

export const read = (address: string): Buffer => readFileSync(join(dist, address));

/** The public pages. */
export const pages: readonly BuiltPage[] = files
  .filter((file) => file.endsWith('.html') && !/^\/admin(\/|\.html)/.test(file))
  .map((file) => {
    const html = read(file).toString();
    const $ = load(html);
    $('template').remove();
    const css = $('style').text();
    return { path: file.replace(/(^\/)?(index)?\.html$/, '$1') || '/', html, $, css };
  });

export function page(path: string): BuiltPage {
  const found = pages.find((candidate) => candidate.path === path);
  if (!found) throw new Error(`The build has no page ${path}.`);
  return found;
}

/** Returns the inline scripts that run. Script elements that contain data are omitted. */
export function inlineScripts({ $ }: BuiltPage): string[] {
  return $('script:not([src])')
    .toArray()
    .filter((script) => !/json|speculationrules/.test($(script).attr('type') ?? ''))
    .map((script) => $(script).text());
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
