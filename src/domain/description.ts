/** Maximum length of a page's description, in characters. Search engines cut longer ones. */
export const longestDescription = 160;
