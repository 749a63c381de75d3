import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';
import { load } from 'cheerio';
import type { Manifest } from 'vite';
import { fileHeaders, type HeaderRule } from '../../src/domain/site/security-headers.ts';
import { reducePage } from '../../src/reduce-page.ts';
import { apiDocument } from '../../netlify/server/http/api-document.ts';
import { ownerWarnings } from '../../netlify/server/publishing/site-details.ts';
import { readBuildEnv } from '../../netlify/server/env.ts';

/** Returns the browser modules that a browser module imports, statically or `later`, by URL path. */
type ImportsOf = (address: string, later?: boolean) => readonly string[];

const policyHeader = 'Content-Security-Policy';
/**
 * Pages that are served for unknown paths. No header rule matches an unknown path, so these pages contain their
 * Content-Security-Policy.
 */
const errorPages = ['/404', '/service-not-found'];
/**
 * Pages that do not work without scripts. Only these pages preload their modules, because other pages load scripts on
 * interaction or work without scripts.
 */
const scriptedPages = ['/admin', '/admin/settings', '/admin/set-up'];

/** Completes the output of `astro build` and of the Netlify adapter, for Netlify and for the host. */
export function builtOutput(): AstroIntegration {
  let onRequest: string[] = [];
  let root: URL;
  return {
    name: 'built-output',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command !== 'build') return;
        // Bundles all packages into the function that renders pages on request, so the function contains only the code
        // that it uses. In development, Vite cannot load CommonJS packages in this way. Without the definition, the
        // function would contain React for development, too. Names stay readable in errors.
        const minify = { compress: true, mangle: false, codegen: true };
        const ssr = {
          resolve: { noExternal: true },
          define: { 'process.env.NODE_ENV': '"production"' },
          build: { rolldownOptions: { output: { minify } } },
        } as const;
        updateConfig({ vite: { environments: { ssr } } });
      },
      'astro:config:done': ({ config }) => {
        root = config.root;
      },
      'astro:routes:resolved': ({ routes }) => {
        onRequest = routes
          .filter(({ isPrerendered, origin }) => !isPrerendered && origin === 'project')
          // `/blog/[slug]` becomes `/blog/:slug`, as in a function's `config.path`.
          .map(({ pattern }) => pattern.replaceAll(/\[(\w+)\]/g, ':$1'));
      },
      'astro:build:done': async ({ dir, logger }) => {
        await completePages(dir, new URL('.netlify/v1/config.json', root), await readManifest(dir));
        await writeApiDocument(dir);
        await narrowServerFunction(new URL('.netlify/v1/functions/ssr/', root), onRequest, dir);
        if (readBuildEnv(process.env).production) ownerWarnings().forEach((warning) => logger.warn(warning));
      },
    },
  };
}

/** Writes the OpenAPI document of the functions, which are loaded only now, because other commands read this file too. */
async function writeApiDocument(dist: URL): Promise<void> {
  const { apiFunctions } = await import('../../netlify/api-functions.ts');
  await mkdir(new URL('api/', dist));
  await writeFile(new URL('api/openapi.json', dist), JSON.stringify(apiDocument(await apiFunctions())));
}

/** Reads and removes Vite's list of the files for browsers, whose name is in astro.config.mjs. */
async function readManifest(dist: URL): Promise<ImportsOf> {
  const file = new URL('chunks.json', dist);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await rm(file);
  const chunks = new Map(Object.values(manifest).map((chunk) => [`/${chunk.file}`, chunk]));
  return (address, later = false) =>
    (chunks.get(address)?.[later ? 'dynamicImports' : 'imports'] ?? []).map((key) => `/${manifest[key]?.file}`);
}

/**
 * Reduces each page and its policy to what the page uses (`reducePage`), and completes the pages of `errorPages` and
 * `scriptedPages`.
 * @param configFile the adapter's configuration, with a header rule for each page.
 */
async function completePages(dist: URL, configFile: URL, importsOf: ImportsOf): Promise<void> {
  const config = JSON.parse(await readFile(configFile, 'utf8')) as { headers: HeaderRule[] };
  const rules: HeaderRule[] = [];
  for (const rule of config.headers) {
    const policy = rule.values[policyHeader];
    if (policy === undefined) {
      rules.push(rule);
      continue;
    }
    const fileName = rule.for === '/' ? '/index.html' : `${rule.for}.html`;
    const file = new URL(`.${fileName}`, dist);
    const html = await readFile(file, 'utf8');
    const own = reducePage(policy, scriptedPages.includes(rule.for) ? withPreloads(html, importsOf) : html);
    await writeFile(file, errorPages.includes(rule.for) ? withPolicy(own.html, own.policy) : own.html);
    // Netlify also serves a page at the path of its file, such as `/contact.html`, so both paths get the policy. A
    // redirect from one path to the other is not possible, because Netlify's redirect rules treat both as one.
    const values = { [policyHeader]: own.policy };
    rules.push({ for: rule.for, values }, { for: fileName, values });
  }
  await writeFile(configFile, JSON.stringify({ ...config, headers: [...rules, ...fileHeaders] }));
}

/**
 * Adds a `modulepreload` link for each module that the page's scripts and islands need. The browser then downloads all
 * modules in parallel. Otherwise, it would find the imports of a module only after downloading that module.
 */
function withPreloads(html: string, importsOf: ImportsOf): string {
  const $ = load(html);
  const needed = new Set<string>();
  const add = (address: string | undefined): void => {
    if (address === undefined || needed.has(address)) return;
    needed.add(address);
    importsOf(address).forEach(add);
  };
  $('astro-island').each((_, island) => {
    add($(island).attr('component-url'));
    add($(island).attr('renderer-url'));
  });
  $('script[type=module][src]').each((_, script) => {
    const address = $(script).attr('src');
    add(address);
    // The script of the dashboard imports the app after it has shown the first rows.
    if (address) importsOf(address, true).forEach(add);
  });
  const links = [...needed].map((address) => `<link rel="modulepreload" href="${address}">`);
  return html.replace('</head>', () => `${links.join('')}</head>`);
}

/** Puts the policy of a page into the page. */
function withPolicy(html: string, policy: string): string {
  // Browsers warn about these directives in a meta element. The X-Frame-Options header of the site's files replaces
  // `frame-ancestors`.
  const inPage = policy.replaceAll(/frame-ancestors [^;]*;?\s*/g, '').replaceAll('"', '&quot;');
  // Inserts the policy at the beginning of the head, or after a leading charset: a policy applies only to elements
  // after it.
  const meta = `<meta http-equiv="content-security-policy" content="${inPage}">`;
  return html.replace(/<head[^<>]*>(\s*<meta charset=[^<>]*>)?/i, (head) => head + meta);
}

/**
 * Replaces the entry of the adapter's function, which would match every path. For an unknown path, its response would
 * lack the headers of the site's files and, under /api, would not be a JSON error.
 *
 * @param folder the folder of the function.
 * @param paths the paths that are rendered on request. If there are none, the function is removed.
 */
async function narrowServerFunction(folder: URL, paths: readonly string[], dist: URL): Promise<void> {
  if (paths.length === 0) return await rm(folder, { recursive: true });
  // The function gets its own copy of `/articles.json`, next to the code that reads it
  // (netlify/server/platform.ts). Otherwise, it would have to request the file from the site's public URL,
  // which may not lead to this server yet.
  await copyFile(new URL('articles.json', dist), new URL('chunks/articles.json', folder));
  // Netlify reads `config` from the text of this file, so its values are literals.
  await writeFile(
    new URL('ssr.mjs', folder),
    `let handler;
export default async (request, context) => {
  const { pathname, search } = new URL(request.url);
  // Astro answers 404 for a path with a slash at the end. A redirect rule cannot remove the slash, because Netlify's
  // rules treat both paths as one. Several slashes become one, because a location that begins with two is another site.
  if (/.\\/$/.test(pathname)) {
    const location = pathname.replaceAll(/\\/+/g, '/').slice(0, -1) + search;
    return new Response(null, { status: 301, headers: { location } });
  }
  // Loads the code at the first request, because it takes a tenth of the start of a host.
  handler ??= (await import('./entry.mjs')).createHandler({});
  return handler(request, context);
};
export const config = {
  name: 'Pages on request',
  path: ${JSON.stringify(paths)},
  includedFiles: ['**/*'],
  nodeBundler: 'none',
  preferStatic: true,
};
`,
  );
}
