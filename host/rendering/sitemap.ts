import { pathToFileURL } from 'node:url';
import sitemap from '@astrojs/sitemap';
import type { AstroConfig, AstroIntegrationLogger } from 'astro';

/** Paths that search engines should not list, and duplicate paths of a page. */
const unlisted =
  /^\/(admin|(contact|join-team)\/(sent|review)|404|search|service-not-found|uploads|privacy-policy|terms-of-service)(\/|$)/;

/**
 * Writes the sitemaps with Astro's integration. Astro's own renderer did not render the pages, so this function passes
 * their paths to the integration.
 */
export async function writeSitemap(dist: string, address: string, pages: readonly string[]): Promise<void> {
  const { hooks } = sitemap({
    filter: (page) => !unlisted.test(new URL(page).pathname),
    // This sitemap of the posts is rendered on request, so search engines find new posts immediately.
    customSitemaps: [new URL('/sitemap-posts-1.xml', address).href],
  });
  const logger = { info: () => {}, warn: console.warn, error: console.error } as unknown as AstroIntegrationLogger;
  const config = { site: address, base: '/', trailingSlash: 'never', build: { format: 'file' } } as AstroConfig;
  const options = { config, logger, routes: [], dir: pathToFileURL(`${dist}/`), pages: pages.map((pathname) => ({ pathname })) }; // prettier-ignore
  for (const name of ['astro:config:done', 'astro:routes:resolved', 'astro:build:done'] as const) {
    await (hooks[name] as (given: typeof options) => Promise<void> | void)(options);
  }
}
