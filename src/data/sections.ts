import { readAtBuild } from '../../netlify/server/database-at-build.ts';
import { firstSection } from '../../netlify/server/first-sections.ts';
import { sectionStore } from '../../netlify/server/stores/sections.ts';
import { type SectionInput, type SectionKey, sectionKeys } from '../domain/section.ts';
import { sectionText } from '../domain/section-text.ts';

/** The words of one editable section as a page shows them: plain text. */
export type SectionWords = Pick<SectionInput, 'title' | 'content'>;

/**
 * The editable texts of the home page as they stand when the site is built: an admin's where the database holds one, else
 * those of content/sections/home.json.
 * @throws where a text of content/sections/home.json is missing or breaks the rules of an admin's own.
 */
export async function homeSections(): Promise<Record<SectionKey, SectionWords>> {
  const saved = (await readAtBuild(process.env, (database) => sectionStore(database).list())) ?? [];
  const stored = new Map(saved.map((section) => [section.sectionKey, section]));
  const words = (key: SectionKey): SectionWords => {
    const { title, content } = stored.get(key) ?? firstSection(key);
    return { title: sectionText(title), content: sectionText(content) };
  };
  return Object.fromEntries(sectionKeys.map((key) => [key, words(key)])) as Record<SectionKey, SectionWords>;
}
