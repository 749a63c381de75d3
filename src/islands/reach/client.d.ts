import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates when the visitor reaches for the island; see ./directive.ts. */
    'client:reach'?: boolean;
  }
}
