import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownPage } from '../../netlify/server/http/own-page.ts';
import { copyrightYear } from '../../src/domain/copyright-year.ts';
import { site } from '../../src/site.config.ts';
import { withPreloads } from '../module-preloads.ts';
import { type Bundle, configFile, type HeaderRule, loadRenderer, serverFunction } from './bundle.ts';
import type { Renderer } from './entry.ts';
import { openKeptPages, type Page } from './kept-pages.ts';
import { writeSitemap } from './sitemap.ts';

type Path = Awaited<ReturnType<Renderer['staticPaths']>>[number];

/** Number of pages that are rendered in parallel. While one page waits for an image, the other uses this thread. */
const atOnce = 2;
const policyHeader = 'Content-Security-Policy';
/**
 * Pages that are served for unknown paths. No header rule matches an unknown path, so these pages contain their
 * Content-Security-Policy.
 */
const errorPages = ['/404', '/service-not-found'];
/**
 * Pages that do not work without scripts. Preloads the modules of these pages only, because other pages load scripts on
 * interaction or work without scripts.
 */
const scriptedPages = ['/admin', '/admin/settings'];

/**
 * Renders every page and file of the site with the code of a bundle.
 *
 * Copies a page that has a `cacheKey` (see `getStaticPaths` of the page) from the previous build if the code, the year
 * and the key are unchanged. Renders all other pages in every build, because they show articles or content of the
 * database.
 *
 * @param dist the folder with the bundle's files (`placeBundle`).
 * @throws if a page cannot be rendered, after printing the reason.
 */
export async function renderPages(root: string, bundle: Bundle, dist: string): Promise<void> {
  const renderer = await loadRenderer(root, bundle);
  const paths = await renderer.staticPaths();
  const kept = await openKeptPages(join(root, '.cache/pages'));
  const year = copyrightYear(new Date(), site.timeZone);
  const imports = new Map(bundle.imports);
  const policies = new Map<string, string>();

  const render = async ({ pathname, route }: Path): Promise<Page> => {
    const request = new Request(new URL(encodeURI(fileOf({ pathname, route })), bundle.site));
    const response = await renderer.render(request, route);
    if (response.status >= 500) throw new Error(`${pathname} cannot be rendered.`);
    const body = Buffer.from(await response.arrayBuffer());
    const policy = response.headers.get(policyHeader);
    if (policy === null) return { body, policy: '' };
    const html = body.toString();
    const own = ownPage(policy, scriptedPages.includes(pathname) ? withPreloads(html, imports) : html);
    const sent = errorPages.includes(pathname) ? withPolicy(own.html, own.policy) : own.html;
    return { body: Buffer.from(sent), policy: own.policy };
  };

  const remaining = paths.values();
  const work = async (): Promise<void> => {
    for (const path of remaining) {
      const { pathname, cacheKey } = path;
      const file = join(dist, fileOf(path));
      await mkdir(dirname(file), { recursive: true });
      const make = () => render(path);
      const policy = cacheKey
        ? await kept.write(file, [bundle.inputs, year, pathname, cacheKey], make)
        : await written(file, await make());
      if (policy !== '') policies.set(pathname, policy);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await kept.close();

  const addresses = paths.flatMap(({ pathname, route }) => (route.type === 'page' ? [pathname] : []));
  await writeSitemap(dist, bundle.site, [...addresses, ...bundle.onRequest]);
  await writeFile(join(root, configFile), JSON.stringify(withPolicies(bundle.config, addresses, policies)));
  // The function that renders pages on request gets its own copy of `/articles.json`. Otherwise, it would have to
  // request the file from the site's public URL, which may not lead to this server yet.
  const functionFolder = join(root, serverFunction);
  const hasFunction = await stat(functionFolder).catch(() => null);
  if (hasFunction) await copyFile(join(dist, 'articles.json'), join(functionFolder, 'articles.json'));
}

async function written(file: string, { body, policy }: Page): Promise<string> {
  await writeFile(file, body);
  return policy;
}

/** Returns the file name of a page or an endpoint, relative to the folder of the site. */
function fileOf({ pathname, route }: Path): string {
  if (route.type !== 'page') return pathname;
  return pathname === '/' ? '/index.html' : `${pathname}.html`;
}

function withPolicies(
  { headers = [], ...rest }: Bundle['config'],
  addresses: readonly string[],
  policies: ReadonlyMap<string, string>,
): Bundle['config'] {
  const rules = addresses.flatMap((address): HeaderRule[] => {
    const policy = policies.get(address);
    if (policy === undefined) return [];
    const values = { [policyHeader]: policy };
    // Netlify also serves a page at the path of its file, such as `/contact.html`, so both paths get the policy. A
    // redirect from one path to the other is not possible, because Netlify's redirect rules treat both as one.
    return [
      { for: address, values },
      { for: address === '/' ? '/index.html' : `${address}.html`, values },
    ];
  });
  return { ...rest, headers: [...headers, ...rules] };
}

/** Puts the policy of a page into the page. */
export function withPolicy(html: string, policy: string): string {
  // Browsers warn about these directives in a meta element. The X-Frame-Options header of netlify.toml replaces
  // `frame-ancestors`.
  const inPage = policy.replaceAll(/(frame-ancestors|report-uri) [^;]*;?\s*/g, '').replaceAll('"', '&quot;');
  // Inserts the policy at the beginning of the head, or after a leading charset: a policy applies only to elements
  // after it.
  const meta = `<meta http-equiv="content-security-policy" content="${inPage}">`;
  return html.replace(/<head[^<>]*>(\s*<meta charset=[^<>]*>)?/i, (head) => head + meta);
}
