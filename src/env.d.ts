import type { NetlifyLocals } from '@astrojs/netlify';

declare global {
  /** The firm's name, put into scripts by the build (astro.config.mjs): its other details stay out of what browsers download. */
  const FIRM_NAME: string;

  namespace App {
    // Netlify's context of the request, also on the host, for pages that are rendered on request.
    interface Locals extends NetlifyLocals {}
  }
}
