/**
 * Speculation rules: the browser prerenders a page of this site when the visitor is about to open it. The API, the
 * admin area and uploaded files are excluded. The Content-Security-Policy allows this inline script by its hash
 * (astro.config.mjs).
 */
export const speculationRules = JSON.stringify({
  prerender: [
    {
      where: { and: [{ href_matches: '/*' }, { not: { href_matches: ['/api/*', '/admin*', '/uploads/*'] } }] },
      eagerness: 'moderate',
    },
  ],
});
