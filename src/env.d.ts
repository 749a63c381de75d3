import type { NetlifyLocals } from '@astrojs/netlify';

declare global {
  /**
   * The firm's name, which the build inserts into scripts (astro.config.mjs). Scripts that imported src/site.config.ts
   * would make browsers download all details of the firm.
   */
  const FIRM_NAME: string;

  namespace App {
    // `Astro.locals.netlify.context` is available on pages rendered on request, also on the self-hosted server.
    interface Locals extends NetlifyLocals {}
  }
}
