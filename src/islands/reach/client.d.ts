import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /**
     * Hydrates when the visitor interacts with the island or, with `seen`, when it comes into view; see ./directive.ts.
     */
    'client:reach'?: boolean | 'seen';
  }
}
