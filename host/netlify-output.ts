import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { AstroIntegration, IntegrationResolvedRoute } from 'astro';
import { oneFile } from '../netlify/one-file.ts';
import { ownPolicy } from '../netlify/server/http/page-policy.ts';

/**
 * Corrects four things in what the Netlify adapter leaves of a build, for Netlify and the host alike.
 *
 * - The adapter's server function claims every address. An unknown one then calls a function for nothing, gets none of the
 *   headers of netlify.toml, and under /api no JSON. It is narrowed to the routes that are rendered on request, and
 *   removed where there is none.
 * - It comes with every package that it imports, whole. It is made one file, of what is used, as the other functions are.
 * - Every page's policy names the scripts and styles of all pages. It is narrowed to the page's own.
 * - The pages for unknown addresses are served where no header rule stands, so their Content-Security-Policy goes into them.
 */
export function netlifyOutput(): AstroIntegration {
  let onRequest: string[] = [];
  let root: URL;
  return {
    name: 'netlify-output',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        // Bundled into the function for the pages on request, which then holds what it uses and no more. Not while
        // developing: Vite then runs modules one by one, and these are CommonJS.
        if (command !== 'build') return;
        updateConfig({ vite: { environments: { ssr: { resolve: { noExternal: ['react', 'react-dom', 'zod'] } } } } });
      },
      'astro:routes:resolved': ({ routes }) => {
        onRequest = routes.filter((route) => !route.isPrerendered && route.origin === 'project').map(functionPath);
      },
      'astro:config:done': ({ config }) => {
        root = config.root;
      },
      'astro:build:done': async ({ dir }) => {
        const serverFunction = new URL('.netlify/v1/functions/ssr/', root);
        await narrowServerFunction(serverFunction, onRequest);
        if (onRequest.length > 0) await bundleServerFunction(serverFunction, new URL('articles.json', dir));
        const config = new URL('.netlify/v1/config.json', root);
        await narrowPolicies(config, dir);
        for (const page of ['404', 'service-not-found']) {
          await putPolicyIntoPage(config, new URL(`${page}.html`, dir));
        }
      },
    },
  };
}

/** A route as `config.path` of a function states it: `/blog/[slug]` is `/blog/:slug`, `/docs/[...path]` is `/docs/:path*`. */
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

/** @param folder of the adapter's function. @param paths that it is to answer. */
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
 * @param folder of the adapter's function; afterwards `ssr.mjs` and the file that it reads are all there is in it.
 * @param articles which the feeds hold. With a copy of its own the function need not ask the site for it, whose public
 *   address may not lead here yet.
 */
async function bundleServerFunction(folder: URL, articles: URL): Promise<void> {
  const file = fileURLToPath(new URL('ssr.mjs', folder));
  const [bundle] = (await build({ ...oneFile, entryPoints: [file], write: false })).outputFiles;
  if (!bundle) throw new Error('The server function could not be bundled.');
  await rm(folder, { recursive: true });
  await mkdir(folder, { recursive: true });
  await writeFile(file, bundle.contents);
  await copyFile(articles, new URL('articles.json', folder));
}

interface HeaderRule {
  readonly for: string;
  readonly values: Record<string, string>;
}

const policyHeader = 'Content-Security-Policy';

async function headerRules(config: URL): Promise<{ headers?: HeaderRule[] }> {
  return JSON.parse(await readFile(config, 'utf8')) as { headers?: HeaderRule[] };
}

/** @param config as the adapter wrote it: each page's policy becomes its own. @param dist the folder of the built pages. */
async function narrowPolicies(config: URL, dist: URL): Promise<void> {
  const { headers = [], ...rest } = await headerRules(config);
  const narrowed = await Promise.all(
    headers.map(async (rule) => {
      const policy = rule.values[policyHeader];
      if (policy === undefined) return [rule];
      const name = rule.for === '/' ? '/index.html' : `${rule.for}.html`;
      const page = await readFile(new URL(name.slice(1), dist), 'utf8');
      const own = { ...rule, values: { ...rule.values, [policyHeader]: ownPolicy(policy, page) } };
      // Netlify also serves a page under the name of its file, and cannot redirect that: its rules take both for one path.
      return [own, { ...own, for: name }];
    }),
  );
  await writeFile(config, JSON.stringify({ ...rest, headers: narrowed.flat() }));
}

/** @param config with the policies of all pages. @param page a page that the build made. */
export async function putPolicyIntoPage(config: URL, page: URL): Promise<void> {
  const { headers = [] } = await headerRules(config);
  const address = `/${basename(page.pathname, '.html')}`;
  const policy = headers.find((rule) => rule.for === address)?.values[policyHeader];
  const html = await readFile(page, 'utf8').catch(() => null);
  if (policy === undefined || html === null) return;
  // Browsers complain about these directives in a page; X-Frame-Options says the same as the first in netlify.toml.
  const inPage = policy.replaceAll(/(frame-ancestors|report-uri) [^;]*;?\s*/g, '').replaceAll('"', '&quot;');
  // First in the head, after the charset where it opens the head: a policy counts only for what comes after it.
  const meta = `<meta http-equiv="content-security-policy" content="${inPage}">`;
  await writeFile(
    page,
    html.replace(/<head[^>]*>(\s*<meta charset=[^>]*>)?/i, (head) => head + meta),
  );
}
