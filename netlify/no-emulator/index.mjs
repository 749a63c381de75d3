/**
 * Takes the place of @netlify/vite-plugin, Netlify's emulator for development, which @astrojs/netlify would bring: 600 packages and
 * 200 MB that neither a build nor `npm run dev` (host/dev.ts) uses.
 * @returns no plugins for Vite
 */
export default () => [];
