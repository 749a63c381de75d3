/**
 * Pages of this site are rendered ahead when a visitor is about to open them; answers of the API, the admin area and
 * files are not. The policy of the site allows this script by its hash (astro.config.mjs).
 */
export const speculationRules = JSON.stringify({
  prerender: [
    {
      where: { and: [{ href_matches: '/*' }, { not: { href_matches: ['/api/*', '/admin*', '/uploads/*'] } }] },
      eagerness: 'moderate',
    },
  ],
});
