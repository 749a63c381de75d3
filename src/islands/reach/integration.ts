import type { AstroIntegration } from 'astro';

/** Adds the client directive `client:reach`; see ./directive.ts. */
export function reachDirective(): AstroIntegration {
  return {
    name: 'reach-directive',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        addClientDirective({ name: 'reach', entrypoint: './src/islands/reach/directive.ts' });
      },
    },
  };
}
