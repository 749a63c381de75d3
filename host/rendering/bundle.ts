import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Renderer } from './entry.ts';
import { hashOfBundle } from './inputs.ts';

/** A header rule in Netlify's format (`.netlify/v1/config.json`). */
export interface HeaderRule {
  readonly for: string;
  readonly values: Record<string, string>;
}

/** Facts about the bundled code of the site. */
export interface Bundle {
  /** Hash of all inputs of the bundle. */
  readonly inputs: string;
  /** The name of the file in `server/` that renders pages. */
  readonly entry: string;
  readonly site: string;
  /** The modules that each browser module imports statically, by URL path. */
  readonly imports: readonly (readonly [address: string, imported: readonly string[]])[];
  /** Paths of the pages that are rendered on request and have no parameters. */
  readonly onRequest: readonly string[];
  /** The adapter's configuration: header rules for the files that browsers load. */
  readonly config: { readonly headers?: readonly HeaderRule[] };
}

/**
 * The folder that caches the bundle. Bundling takes most of the time of a build, so the bundle is reused until the code
 * of the site changes.
 */
const folder = '.cache/bundle';
const parts = { server: 'server', client: 'client', functions: 'functions' };
export const configFile = '.netlify/v1/config.json';
/** The folder of the function that renders pages on request. */
export const serverFunction = '.netlify/v1/functions/ssr/';

/** Returns the cached bundle, or null if there is none for these inputs. */
export async function keptBundle(root: string, inputs: string): Promise<Bundle | null> {
  const text = await readFile(join(root, folder, 'bundle.json'), 'utf8').catch(() => 'null');
  const bundle = JSON.parse(text) as Bundle | null;
  return bundle?.inputs === inputs ? bundle : null;
}

/** Copies the files of the bundle to the folders of a build. Replaces the folder `dist`. */
export async function placeBundle(root: string, dist: string): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await cp(join(root, folder, parts.client), dist, { recursive: true });
  await rm(join(root, serverFunction), { recursive: true, force: true });
  await copyIfThere(join(root, folder, parts.functions), join(root, serverFunction));
}

export async function loadRenderer(root: string, { entry }: Bundle): Promise<Renderer> {
  const file = pathToFileURL(join(root, folder, parts.server, entry));
  return ((await import(file.href)) as { renderer: Renderer }).renderer;
}

/** The properties of a bundled file that this module uses, as Vite passes them to a plugin. */
interface Chunk {
  readonly type: string;
  readonly fileName: string;
  readonly imports?: readonly string[];
}

/** Makes `astro build` bundle the site without rendering its pages, and caches the bundle. */
export function bundleOnly(): AstroIntegration {
  let root = '';
  let site = '';
  let onRequest: string[] = [];
  let server: URL;
  const imports: [string, string[]][] = [];
  const entry = fileURLToPath(new URL('entry.ts', import.meta.url));
  const plugin = {
    name: 'bundle-only',
    configEnvironment: (name: string) =>
      name === 'prerender' ? { build: { rolldownOptions: { input: entry } } } : null,
    generateBundle(_options: unknown, bundle: Record<string, Chunk>) {
      for (const { type, fileName, imports: named = [] } of Object.values(bundle)) {
        if (type === 'chunk') imports.push([`/${fileName}`, named.map((name) => `/${name}`)]);
      }
    },
  };
  return {
    name: 'bundle-only',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command !== 'build') return;
        updateConfig({ vite: { plugins: [plugin] } });
      },
      'astro:config:done': ({ config }) => {
        root = fileURLToPath(config.root);
        site = config.site ?? '';
        server = new URL('.prerender/', config.build.server);
      },
      'astro:routes:resolved': ({ routes }) => {
        onRequest = routes.flatMap(({ isPrerendered, type, pathname }) =>
          !isPrerendered && type === 'page' && pathname ? [pathname] : [],
        );
      },
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer({
          name: 'bundle-only',
          getStaticPaths: async () => [],
          render: () => Promise.reject(new Error('Pages are rendered after the build: see host/rendering/render.ts.')),
          // Astro deletes the server code after `teardown`, so `teardown` copies the code to the cache.
          teardown: () => keep(root, parts.server, fileURLToPath(server)),
        });
      },
      'astro:build:done': async ({ dir }) => {
        await keep(root, parts.client, fileURLToPath(dir));
        await keep(root, parts.functions, join(root, serverFunction));
        const names = await readdir(join(root, folder, parts.server));
        const bundle: Bundle = {
          inputs: await hashOfBundle(root, process.env),
          entry: names.find((name) => name.startsWith('prerender-entry'))!,
          site,
          imports,
          onRequest,
          config: JSON.parse(await readFile(join(root, configFile), 'utf8')) as Bundle['config'],
        };
        await writeFile(join(root, folder, 'bundle.json.part'), JSON.stringify(bundle));
        await rename(join(root, folder, 'bundle.json.part'), join(root, folder, 'bundle.json'));
      },
    },
  };
}

/**
 * Copies one part of the bundle to the cache. Deletes `bundle.json`, which the caller writes again after all parts are
 * copied, so an incomplete bundle is never used.
 */
async function keep(root: string, part: string, from: string): Promise<void> {
  const to = join(root, folder, part);
  await rm(join(root, folder, 'bundle.json'), { force: true });
  await rm(to, { recursive: true, force: true });
  await copyIfThere(from, to);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
