import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { AstroIntegration, IntegrationResolvedRoute } from 'astro';
import { oneFile } from '../netlify/one-file.ts';
import { serverFunction } from './rendering/bundle.ts';

/**
 * Corrects three things in the build output of the Netlify adapter, for Netlify and for the host.
 *
 * - The adapter's server function matches every path. For an unknown path, its response would lack the headers of
 * netlify.toml and, under /api, would not be a JSON error. This integration limits the function to the routes that are
 * rendered on request, or removes the function if there are no such routes.
 * - The adapter would copy all packages that the function imports. This integration bundles the used code into one file
 * instead, like the other functions. The function loads this file at its first request, because loading takes a tenth
 * of the start of a host. While the adapter runs, the function's entry module (`entry.mjs`) is empty.
 * Otherwise, the adapter would search the packages, which takes a fifth of the build time.
 * - The function answers 404 for its paths with a slash at the end. This integration redirects these paths
 * (without-slash.ts).
 */
export function netlifyOutput(): AstroIntegration {
  let onRequest: string[] = [];
  let root: URL;
  return {
    name: 'netlify-output',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        // Bundles these packages into the function that renders pages on request, so the function contains only the
        // code that it uses. Only in builds: in development, Vite loads modules one by one and cannot load these
        // CommonJS packages.
        if (command !== 'build') return;
        updateConfig({ vite: { environments: { ssr: { resolve: { noExternal: ['react', 'react-dom', 'zod'] } } } } });
      },
      'astro:routes:resolved': ({ routes }) => {
        onRequest = routes.filter((route) => !route.isPrerendered && route.origin === 'project').map(functionPath);
      },
      'astro:config:done': ({ config }) => {
        root = config.root;
      },
      'astro:build:generated': async () => {
        await rename(serverEntry(root), wholeServer(root));
        await writeFile(serverEntry(root), '');
      },
      'astro:build:done': async () => {
        const folder = new URL(serverFunction, root);
        await narrowServerFunction(folder, onRequest);
        if (onRequest.length > 0) await bundleServerFunction(folder, wholeServer(root));
      },
    },
  };
}

/**
 * Converts a route to a path for a function's `config.path`: `/blog/[slug]` to `/blog/:slug`, `/docs/[...path]` to
 * `/docs/:path*`.
 */
export function functionPath({ segments }: Pick<IntegrationResolvedRoute, 'segments'>): string {
  const parts = segments.map((segment) =>
    segment
      .map(({ content, dynamic, spread }) => {
        if (!dynamic) return content;
        return spread ? `:${content.replace('...', '')}*` : `:${content}`;
      })
      .join(''),
  );
  return `/${parts.join('/')}`;
}

/**
 * Limits the adapter's function to `paths`, or removes the function if there are none.
 * @param folder the folder of the function.
 * @param paths the paths that the function should match.
 */
export async function narrowServerFunction(folder: URL, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) {
    await rm(folder, { recursive: true, force: true });
    return;
  }
  const file = new URL('ssr.mjs', folder);
  const code = await readFile(file, 'utf8');
  const narrowed = code.replace("path: '/*',", `path: ${JSON.stringify(paths)},`);
  if (narrowed === code)
    throw new Error('The adapter no longer writes its path as expected: see host/netlify-output.ts.');
  await writeFile(file, narrowed);
}

/**
 * The module with all server code, which the adapter's function imports. While the adapter runs, the code is in the
 * file `wholeServer` instead, and this module is empty.
 */
const serverEntry = (root: URL): URL => new URL('.netlify/build/entry.mjs', root);
const wholeServer = (root: URL): URL => new URL('.netlify/build/whole.mjs', root);

/**
 * Bundles all code of the adapter's function into `pages.mjs`, and writes a small `ssr.mjs` that loads this file at the
 * first request. Deletes the rest of the folder.
 * @param folder the folder of the function.
 * @param server the module to bundle instead of `entry.mjs`, which is empty.
 */
async function bundleServerFunction(folder: URL, server: URL): Promise<void> {
  const file = fileURLToPath(new URL('ssr.mjs', folder));
  const entry: Plugin = {
    name: 'entry',
    setup: (bundler) => bundler.onResolve({ filter: /\/entry\.mjs$/ }, () => ({ path: fileURLToPath(server) })),
  };
  const contents = `
    import handler from ${JSON.stringify(file)};
    import { withoutSlash } from ${JSON.stringify(fileURLToPath(new URL('without-slash.ts', import.meta.url)))};
    export default withoutSlash(handler);`;
  const stdin = { contents, resolveDir: fileURLToPath(folder) };
  const [bundle] = (await build({ ...oneFile, stdin, plugins: [entry], write: false })).outputFiles;
  if (!bundle) throw new Error('The server function could not be bundled.');
  const entrance = entranceOf(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('pages.mjs', folder), bundle.contents);
  await writeFile(file, entrance);
}

/**
 * Returns the code of `ssr.mjs`.
 * @param adapters the code of the adapter's function, which ends with its configuration. Netlify reads the
 * configuration from the text of `ssr.mjs`.
 */
function entranceOf(adapters: string): string {
  const config = /^[ \t]*export const config = [^]*/m.exec(adapters)?.[0].trim();
  if (config === undefined)
    throw new Error('The adapter no longer writes its configuration as expected: see host/netlify-output.ts.');
  return `export default async (request, context) => (await import('./pages.mjs')).default(request, context);\n${config}\n`;
}
