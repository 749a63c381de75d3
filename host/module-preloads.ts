import { load } from 'cheerio';

/**
 * Adds a `modulepreload` link for each module that the page's scripts and islands need. The browser then downloads all
 * modules in parallel. Otherwise, it would find the imports of a module only after downloading that module.
 *
 * @param imports the URL paths that each module imports statically, by URL path of the module.
 * @returns the page with the links in its head.
 */
export function withPreloads(html: string, imports: ReadonlyMap<string, readonly string[]>): string {
  const $ = load(html);
  const needed = new Set<string>();
  const add = (address: string | undefined): void => {
    if (address === undefined || needed.has(address)) return;
    needed.add(address);
    imports.get(address)?.forEach(add);
  };
  $('astro-island').each((_, island) => {
    add($(island).attr('component-url'));
    add($(island).attr('renderer-url'));
  });
  $('script[type=module][src]').each((_, script) => {
    add($(script).attr('src'));
  });
  const links = [...needed].map((address) => `<link rel="modulepreload" href="${address}">`);
  return html.replace('</head>', () => `${links.join('')}</head>`);
}
