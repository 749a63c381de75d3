import type { NetlifyLocals } from '@astrojs/netlify';

declare global {
  namespace App {
    // Netlify's context of the request, also on the host, for pages that are rendered on request.
    interface Locals extends NetlifyLocals {}
  }
}
