import { readAtBuild } from '../../netlify/server/database-at-build.ts';
import { readShownSections, shownSections } from '../../netlify/server/first-sections.ts';
import type { SectionKey, ShownSections } from '../domain/section.ts';

/** The words of one editable section as a page shows them: plain text. */
export type SectionWords = ShownSections[SectionKey];

/**
 * The editable texts of the home page as they are when the site is built: an admin's if the database holds one, else
 * those of content/sections/home.json.
 * @throws if a text of content/sections/home.json is missing or breaks the rules of an admin's own.
 */
export async function homeSections(): Promise<ShownSections> {
  return (await readAtBuild(process.env, readShownSections)) ?? shownSections([]);
}
