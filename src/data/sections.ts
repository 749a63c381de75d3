import type home from '../../content/sections/home.json';
import { readAtBuild } from '../../netlify/server/db/at-build.ts';
import { readShownSections, shownSections } from '../../netlify/server/sections/first-sections.ts';

/** The text of a section as a page shows it. */
export interface SectionText {
  /**
   * Key of a section that admins can edit. Pages put the key into the attribute `data-section`, so a script can replace
   * text that changed after the build.
   */
  readonly key?: string;
  readonly title: string;
  readonly content: string;
}

/**
 * Returns a function that finds an editable text of the home page during a build: the text that an admin saved, or the
 * default text from content/sections/home.json.
 * @throws if an entry of content/sections/home.json is incomplete. The returned function throws for a key without an
 *   entry.
 */
export async function homeSections(): Promise<(key: keyof typeof home) => SectionText> {
  const sections = (await readAtBuild(process.env, readShownSections)) ?? shownSections([]);
  return (key) => {
    const words = sections[key];
    if (!words) throw new Error(`A page shows “${key}”, which content/sections/home.json does not have. Add an entry.`);
    return { key, ...words };
  };
}
