import type { AstroIntegration } from 'astro';

const written = '<style>${ISLAND_STYLES}</style>';

/**
 * Keeps Astro from writing the style of its island elements into the body, where HTML allows none: it stands in
 * src/styles/islands.css, which every layout takes into its head.
 * @throws where Astro's own module no longer writes it so.
 */
export function stylesInHead(): AstroIntegration {
  const plugin = {
    name: 'styles-in-head',
    transform(code: string, id: string) {
      if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return undefined;
      if (!code.includes(written)) throw new Error('Astro writes the style of its islands in another way: look at it.');
      return { code: code.replace(written, ''), map: null };
    },
  };
  return {
    name: plugin.name,
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [plugin] } });
      },
    },
  };
}
