/**
 * Replaces @netlify/vite-plugin, a dependency of @astrojs/netlify that emulates Netlify for development. Neither a
 * build nor `npm run dev` (host/dev.ts) uses its 600 packages (200 MB).
 * @returns no plugins for Vite
 */
export default () => [];
