import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyrightYear } from '../../src/domain/copyright-year.ts';
import { site } from '../../src/site.config.ts';
import { inParallel } from '../in-parallel.ts';
import { type Bundle, configFile, type HeaderRule, loadRenderer, serverFunction } from './bundle.ts';
import { openKeptPages } from './kept-pages.ts';
import { fileOf, policyHeader } from './render-files.ts';
import { writeSitemap } from './sitemap.ts';
import { renderInThreads } from './threads.ts';

/** Number of files that are written in parallel. */
const writtenAtOnce = 8;

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
  const cache = await openKeptPages(join(root, '.cache/pages'));
  const year = copyrightYear(new Date(), site.timeZone);
  const folders = new Set<string>();
  const pages = paths.map((path) => {
    const { pathname, cacheKey } = path;
    const file = join(dist, fileOf(path));
    folders.add(dirname(file));
    return { pathname, file, kept: cacheKey ? cache.page([bundle.inputs, year, pathname, cacheKey]) : null };
  });
  for (const folder of folders) await mkdir(folder, { recursive: true });

  const missing = pages.filter(({ kept }) => kept?.policy === undefined);
  const rendered = await renderInThreads(
    root,
    bundle,
    missing.map(({ pathname, file, kept }) => ({ pathname, file: kept?.file ?? file })),
  );
  const policies = new Map<string, string>();
  await inParallel(writtenAtOnce, pages.values(), async ({ pathname, file, kept }) => {
    const policy = rendered.get(pathname) ?? kept!.policy!;
    await kept?.copyTo(file, policy);
    if (policy !== '') policies.set(pathname, policy);
  });
  await cache.close();

  const addresses = paths.flatMap(({ pathname, route }) => (route.type === 'page' ? [pathname] : []));
  await writeSitemap(dist, bundle.site, [...addresses, ...bundle.onRequest]);
  await writeFile(join(root, configFile), JSON.stringify(withPolicies(bundle.config, addresses, policies)));
  // The function that renders pages on request gets its own copy of `/articles.json`. Otherwise, it would have to
  // request the file from the site's public URL, which may not lead to this server yet.
  const functionFolder = join(root, serverFunction);
  const hasFunction = await stat(functionFolder).catch(() => null);
  if (hasFunction) await copyFile(join(dist, 'articles.json'), join(functionFolder, 'articles.json'));
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
