/** Set when the dashboard first loads the fonts. From then on, the browser probably has the fonts in its cache. */
const key = 'admin-fonts';

/**
 * A script for the head of the dashboard's page. On the first visit, it delays the web fonts (`without-fonts` in
 * base.css), because the list does not need them.
 */
export const delayFonts = `try{
if(!localStorage.getItem(${JSON.stringify(key)}))document.documentElement.classList.add('without-fonts')
}catch{}`.replaceAll('\n', '');

/** Loads the web fonts, if `delayFonts` has delayed them. */
export async function loadFonts(): Promise<void> {
  document.documentElement.classList.remove('without-fonts');
  try {
    localStorage.setItem(key, 'loaded');
  } catch {
    // Without storage, each visit counts as the first one.
  }
}
