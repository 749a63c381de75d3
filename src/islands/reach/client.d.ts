import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates when the visitor reaches for the island, or sees it; see ./directive.ts. */
    'client:reach'?: boolean | 'seen';
  }
}
