import { readFile, writeFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';
import { load } from 'cheerio';

/** The part of Vite's plugin interface that is used here. */
interface Chunk {
  readonly type: string;
  readonly fileName: string;
  readonly imports?: readonly string[];
}

/** The pages that are nothing without scripts. The others load none before they are touched, or work without. */
const scriptedPages = ['admin', 'admin/settings'];

/**
 * Names in the head of a page that needs scripts the modules of its islands, so that they come with the page and at once:
 * an island's imports are otherwise found one level after the other.
 */
export function modulePreloads(): AstroIntegration {
  const imports = new Map<string, readonly string[]>();
  const plugin = {
    name: 'module-preloads',
    generateBundle(_options: unknown, bundle: Record<string, Chunk>) {
      for (const { type, fileName, imports: named = [] } of Object.values(bundle)) {
        if (type === 'chunk') imports.set(`/${fileName}`, named.map((name) => `/${name}`)); // prettier-ignore
      }
    },
  };
  return {
    name: plugin.name,
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command === 'build') updateConfig({ vite: { plugins: [plugin] } });
      },
      'astro:build:done': async ({ dir }) => {
        for (const name of scriptedPages) {
          const file = new URL(`${name}.html`, dir);
          await writeFile(file, withPreloads(await readFile(file, 'utf8'), imports));
        }
      },
    },
  };
}

/**
 * @param imports the modules that each module imports statically, by address.
 * @returns the page with a link in its head for each module that its islands need.
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
  const links = [...needed].map((address) => `<link rel="modulepreload" href="${address}">`);
  return html.replace('</head>', () => `${links.join('')}</head>`);
}
