// @ts-check
import { createHash } from 'node:crypto';
import mdx from '@astrojs/mdx';
import netlify from '@astrojs/netlify';
import react from '@astrojs/react';
import sitemap from '@astrojs/sitemap';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { Features } from 'lightningcss';
import { builtOutput } from './host/build/output.ts';
import { oldestBrowsers } from './host/build/supported-browsers.ts';
import { speculationRules } from './src/layouts/ahead.ts';
import { readOfferedServices } from './src/domain/submissions/offered-services.ts';
import { checkSiteDetails } from './netlify/server/publishing/site-details.ts';
import { readOwnDetails, site } from './src/site.config.ts';

/**
 * The origins from which pages load tracking scripts, and the origin to which these scripts send their reports. The
 * Content-Security-Policy allows these origins only if a HubSpot account is configured.
 */
const trackers = site.analyticsId
  ? { scripts: ['https://js.hs-scripts.com', 'https://js.hs-analytics.net'], reports: ' https://track.hubspot.com' }
  : { scripts: [], reports: '' };

checkSiteDetails();

const address = process.env.SITE_URL || site.url;
/** Paths that search engines should not list, and duplicate paths of a page. */
const unlisted =
  /^\/(admin|(contact|join-team)\/(sent|review)|404|search|service-not-found|uploads|privacy-policy|terms-of-service)(\/|$)/;
const siteMap = sitemap({
  filter: (page) => !unlisted.test(new URL(page).pathname),
  // This sitemap of the posts is rendered on request, so search engines find new posts immediately.
  customSitemaps: [new URL('/sitemap-posts-1.xml', address).href],
});

/**
 * Adds the client directive `client:reach`.
 * @type {import('astro').AstroIntegration}
 */
const reach = {
  name: 'reach-directive',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'reach', entrypoint: './src/islands/reach/directive.ts' }),
  },
};

export default defineConfig({
  site: address,
  trailingSlash: 'never',
  cacheDir: './.cache/astro',
  session: false,
  // Prism, because Shiki's colors are inline styles, which the Content-Security-Policy below forbids.
  markdown: { syntaxHighlight: 'prism' },
  // Pages are prerendered unless they export `prerender = false`.
  output: 'static',
  adapter: netlify({ staticHeaders: true }),
  build: {
    format: 'file',
    // Inline style sheets let browsers show a page after a single request.
    inlineStylesheets: 'always',
  },
  integrations: [react(), mdx(), reach, siteMap, builtOutput()],
  security: {
    csp: {
      // Every page sends this list, so it is short. Missing fetch directives fall back to `default-src`.
      directives: [
        "default-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        ...(trackers.reports ? [/** @type {const} */ (`connect-src 'self'${trackers.reports}`)] : []),
        `img-src 'self' data: blob:${trackers.reports}`,
        `frame-src ${site.demoVideo ? new URL(site.demoVideo.embedUrl).origin : "'none'"}`,
      ],
      scriptDirective: {
        resources: ["'self'", ...trackers.scripts],
        hashes: [`sha256-${createHash('sha256').update(speculationRules).digest('base64')}`],
      },
    },
  },
  vite: {
    // Every supported browser has light-dark(). Lightning CSS would replace it with two variables for each `color-scheme`.
    css: { lightningcss: { exclude: Features.LightDark } },
    define: {
      OWN_SITE_DETAILS: JSON.stringify(readOwnDetails()),
      FIRM_NAME: JSON.stringify(site.name),
      OFFERED_SERVICES: JSON.stringify(readOfferedServices()),
    },
    plugins: [
      tailwindcss(),
      {
        // Writes the licenses of the packages in the browser code to dist/licenses.md. Sets the oldest browsers that
        // the code must run in, because Astro's default is the newest browsers.
        name: 'client',
        configEnvironment: (name) =>
          name === 'client'
            ? {
                build: {
                  license: { fileName: 'licenses.md' },
                  // host/build/output.ts reads this file. Astro would delete it from Vite's own folder.
                  manifest: 'chunks.json',
                  target: oldestBrowsers(),
                  modulePreload: {
                    // The dashboard's page preloads the modules of its app (host/build/output.ts), so its script needs
                    // no list of them.
                    resolveDependencies: (file, needed) => (/\/start\.[^/]+$/.test(file) ? [] : needed),
                  },
                  rolldownOptions: {
                    // The functions of Zod (`z`) and property reads have no side effects. With these hints, each page
                    // downloads only the schemas of `src/domain` that it uses.
                    treeshake: { manualPureFunctions: ['z'], propertyReadSideEffects: false },
                  },
                },
              }
            : null,
      },
    ],
    build: {
      cssTarget: oldestBrowsers(),
      // Suppresses a warning about a directive that Astro inserts into modules of content entries and removes later.
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
  },
  devToolbar: { enabled: false },
});
