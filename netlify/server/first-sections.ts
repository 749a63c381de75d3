import seed from '../../content/sections/home.json' with { type: 'json' };
import {
  type SectionEntry,
  type SectionInput,
  type SectionKey,
  type SectionRecord,
  type ShownSections,
  sectionInput,
  sectionKeys,
} from '../../src/domain/section.ts';
import { sectionText } from '../../src/domain/section-text.ts';
import { withFirmDetails } from '../../src/site.config.ts';
import type { Database } from './db/database.ts';
import type { Services } from './services.ts';
import { sectionStore } from './stores/sections.ts';

/** The texts that come with the site (content/sections), in page order. @throws where one breaks the rules of an admin's own. */
export const firstSections: ReadonlyMap<SectionKey, SectionInput> = new Map(
  sectionKeys.map((key) => [key, firstSection(key)]),
);

/** One of them, with the firm's details in it. */
function firstSection(key: SectionKey): SectionInput {
  const { title, content, metadata } = sectionInput.parse(seed[key]);
  return { title: withFirmDetails(title), content: withFirmDetails(content), metadata };
}

/** Lists all sections. A section that nobody has edited has its first text. */
export async function sectionEntries({ stores }: Services): Promise<SectionEntry[]> {
  const stored = new Map((await stores.sections.list()).map((section) => [section.sectionKey, section]));
  return [...firstSections].map(([sectionKey, first]) => ({
    sectionKey,
    updatedAt: null,
    ...first,
    ...stored.get(sectionKey),
    first,
  }));
}

/** The words of every section as the site shows them, without tags; the first text of a section that nobody has stored. */
export function shownSections(stored: readonly SectionRecord[]): ShownSections {
  const saved = new Map(stored.map((section) => [section.sectionKey, section]));
  const shown = sectionKeys.map((key) => {
    const { title, content } = saved.get(key) ?? firstSection(key);
    return [key, { title: sectionText(title), content: sectionText(content) }] as const;
  });
  return Object.fromEntries(shown) as ShownSections;
}

/** Reads {@link shownSections} where no function's services are at hand: in a build and in the host. */
export async function readShownSections(database: Database): Promise<ShownSections> {
  return shownSections(await sectionStore(database).list());
}
