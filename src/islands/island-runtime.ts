import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { buildSync } from 'esbuild';
import type { AstroIntegration } from 'astro';

const style = '<style>${ISLAND_STYLES}</style>';
const script = 'import islandScript from "./astro-island.prebuilt.js";';

/** Methods and fields that only Astro's island element itself uses, so their names can be shortened. */
const internals =
  /^(childrenConnectedCallback|getRetryImportUrl|importWithRetry|handleHydrationError|Component|hydrator|unmount)$/;

/**
 * Changes two parts of the code that Astro adds to each page with an island:
 *
 * - Removes the island elements' style from the body, where HTML does not allow a style element. src/styles/islands.css
 *   contains that style instead.
 * - Compiles the island element's script for the browsers that this site supports. Astro's version is compiled for
 *   browsers without class fields and makes the home page 190 bytes larger.
 *
 * @param target oldest supported browsers, as esbuild names them.
 * @throws {Error} if the code to replace is missing because Astro changed its module.
 */
export function islandRuntime(target: string[]): AstroIntegration {
  const [astro] = createRequire(import.meta.url)
    .resolve('astro')
    .split('dist/');
  const source = `${astro}dist/runtime/server/astro-island.js`;
  const [built] = buildSync({
    entryPoints: [source],
    bundle: true,
    minify: true,
    mangleProps: internals,
    target,
    write: false,
  }).outputFiles;
  const code = built!.text.trim();
  const plugin = {
    name: 'island-runtime',
    transform(module: string, id: string) {
      if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return undefined;
      if (!module.includes(style) || !module.includes(script)) {
        throw new Error('Astro writes the style or the script of its islands in another way: look at it.');
      }
      return {
        code: module.replace(style, '').replace(script, () => `const islandScript = ${JSON.stringify(code)};`),
        map: null,
      };
    },
  };
  return {
    name: plugin.name,
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        const hash = createHash('sha256').update(code).digest('base64');
        updateConfig({
          security: { csp: { algorithm: 'SHA-256', scriptDirective: { hashes: [`sha256-${hash}`] } } },
          vite: { plugins: [plugin] },
        });
      },
    },
  };
}
