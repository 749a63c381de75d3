// @ts-check
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import mdx from '@astrojs/mdx';
import netlify from '@astrojs/netlify';
import react from '@astrojs/react';
import sitemap from '@astrojs/sitemap';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { Features } from 'lightningcss';
import { modulePreloads } from './host/module-preloads.ts';
import { netlifyOutput } from './host/netlify-output.ts';
import { oldestBrowsers } from './host/supported-browsers.ts';
import { reachDirective } from './src/islands/reach/integration.ts';
import { islandRuntime } from './src/islands/island-runtime.ts';
import { speculationRules } from './src/layouts/ahead.ts';
import { readBuildEnv } from './netlify/server/env.ts';
import { checkSiteDetails } from './netlify/server/site-details.ts';
import { placeholderFields, readOwnDetails, site } from './src/site.config.ts';

/** Addresses that are no pages for a search engine, or second addresses of a page. */
const unlisted =
  /^\/(admin|(contact|join-team)\/(sent|review)|404|search|service-not-found|uploads|privacy-policy|terms-of-service)(\/|$)/;

/** Where the tracking script comes from and where it reports; allowed only where an account is configured. */
const trackers = site.analyticsId
  ? { scripts: ['https://js.hs-scripts.com', 'https://js.hs-analytics.net'], reports: ' https://track.hubspot.com' }
  : { scripts: [], reports: '' };

checkSiteDetails();
const madeUp = readBuildEnv(process.env).production ? placeholderFields(site) : [];
if (madeUp.length > 0) {
  console.warn(`\nWARNING: these values are still made up: ${madeUp.join(', ')}. Put yours into site.json.\n`);
}

// Left to itself the heap doubles before it is looked through: with a thousand articles that was half a gigabyte more.
setFlagsFromString('--heap-growing-percent=30');

export default defineConfig({
  site: process.env.SITE_URL || site.url,
  trailingSlash: 'never',
  session: false,
  // Shiki's colors are inline styles, which the policy below forbids.
  markdown: { syntaxHighlight: 'prism' },
  // Every page is built, but for those that say `prerender = false`.
  output: 'static',
  adapter: netlify({ staticHeaders: true }),
  build: {
    format: 'file',
    // One request shows a page: no style sheet ever blocks it.
    inlineStylesheets: 'always',
    // Pictures are drawn on another core than pages are.
    concurrency: 2,
  },
  integrations: [
    react(),
    mdx(),
    sitemap({
      filter: (address) => !unlisted.test(new URL(address).pathname),
      // Rendered on request: posts are found the moment they are published.
      customSitemaps: [new URL('/sitemap-posts-1.xml', process.env.SITE_URL || site.url).href],
    }),
    reachDirective(),
    islandRuntime(oldestBrowsers()),
    modulePreloads(),
    netlifyOutput(),
  ],
  security: {
    csp: {
      // What stands in none of these is as `default-src`: the policy travels with every page.
      directives: [
        "default-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        ...(trackers.reports ? [`connect-src 'self'${trackers.reports}`] : []),
        `img-src 'self' data: blob:${trackers.reports}`,
        // Counted by netlify/functions/policy-reports.ts.
        'report-uri /api/csp',
        `frame-src ${site.demoVideo ? new URL(site.demoVideo.embedUrl).origin : "'none'"}`,
      ],
      scriptDirective: {
        resources: ["'self'", ...trackers.scripts],
        hashes: [`sha256-${createHash('sha256').update(speculationRules).digest('base64')}`],
      },
    },
  },
  vite: {
    // No color uses light-dark(): without this, each `color-scheme` would bring two variables for it.
    css: { lightningcss: { exclude: Features.LightDark } },
    define: { OWN_SITE_DETAILS: JSON.stringify(readOwnDetails()), FIRM_NAME: JSON.stringify(site.name) },
    plugins: [
      tailwindcss(),
      {
        // Next to what browsers download: the licenses of the packages in it. Astro itself builds for the newest browsers.
        name: 'client',
        configEnvironment: (name) =>
          name === 'client' ? { build: { license: { fileName: 'licenses.md' }, target: oldestBrowsers() } } : null,
      },
    ],
    build: {
      cssTarget: oldestBrowsers(),
      // Astro's own mark in the modules of MDX, which it takes out again.
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
  },
  devToolbar: { enabled: false },
});
