import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /**
     * Hydrates the island when the visitor interacts with it. With `seen`, the island is also hydrated when it comes
     * into view; see ./directive.ts.
     */
    'client:reach'?: boolean | 'seen';
  }
}
