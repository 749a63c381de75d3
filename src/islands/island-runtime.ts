import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { buildSync } from 'esbuild';
import type { AstroIntegration } from 'astro';

const style = '<style>${ISLAND_STYLES}</style>';
const script = 'import islandScript from "./astro-island.prebuilt.js";';

/** Methods and fields of Astro's island element that only the element itself uses. */
const internals =
  /^(childrenConnectedCallback|getRetryImportUrl|importWithRetry|handleHydrationError|Component|hydrator|unmount)$/;

/**
 * Changes two things in what Astro writes into each page with an island.
 *
 * - The style of the island elements goes into the body, where HTML allows no style: src/styles/islands.css has it instead.
 * - The script of the island element is compiled for browsers without class fields. Compiled for the browsers that this
 *   site supports, the home page is 190 bytes smaller.
 *
 * @param target the oldest supported browsers, as esbuild names them.
 * @throws if Astro's own module changes: the replaced text is gone.
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
