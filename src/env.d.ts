import type { NetlifyLocals } from '@astrojs/netlify';

declare module 'astro' {
  interface AstroClientDirectives {
    /**
     * Hydrates the island when the visitor interacts with it. With `seen`, the island is also hydrated when it comes
     * into view; see src/islands/reach/directive.ts.
     */
    'client:reach'?: boolean | 'seen';
  }
}

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
