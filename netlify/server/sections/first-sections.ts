import * as z from 'zod/mini';
import home from '../../../content/sections/home.json' with { type: 'json' };
import {
  type SectionEntry,
  type SectionInput,
  type SectionLocation,
  type SectionRecord,
  type ShownSections,
  sectionInput,
  sectionLocation,
} from '../../../src/domain/site/section.ts';
import { promisesMade } from '../../../src/domain/site/site-details.ts';
import { textOfHtml } from '../../../src/domain/text/text.ts';
import { withFirmDetails } from '../../../src/site.config.ts';
import type { Database } from '../db/database.ts';
import type { Services } from '../services.ts';
import { sectionStore } from './store.ts';

const advice = (issue: { code: string; keys?: readonly string[] }) =>
  issue.code === 'unrecognized_keys'
    ? `Remove ${issue.keys?.join(', ')}, or correct the spelling.`
    : 'Add the location of the section: label, where, href and title.';
/** An entry of `content/sections/home.json`. */
const firstSection = z.strictObject(
  {
    ...sectionInput.shape,
    location: z.strictObject(sectionLocation.shape, { error: advice }),
    promises: promisesMade,
  },
  { error: advice },
);

/** The default texts by key, in the order of `content/sections/home.json`. */
export const firstSections = readFirstSections(home);

/**
 * Reads the texts of `content/sections/home.json` and inserts the firm's details.
 * @throws if an entry is incomplete. The message names the key, the field and what to add.
 */
export function readFirstSections(
  file: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, SectionInput & { readonly location: SectionLocation }> {
  const { data, error } = z.record(z.string(), firstSection).safeParse(file);
  if (!data) {
    const faults = error.issues.map(({ path, message }) => `  - ${path.join('.')}: ${message}`);
    throw new Error(`content/sections/home.json is incomplete:\n${faults.join('\n')}`);
  }
  const filled = Object.entries(data).map(([key, { promises: _, ...section }]) => {
    const [title, content] = [withFirmDetails(section.title), withFirmDetails(section.content)];
    return [key, { ...section, title, content }] as const;
  });
  return new Map(filled);
}

/** Lists all sections. A section without a stored text has its default text. */
export async function sectionEntries({ stores }: Services): Promise<SectionEntry[]> {
  const stored = new Map((await stores.sections.list()).map((section) => [section.sectionKey, section]));
  return [...firstSections].map(([sectionKey, { location, ...first }]) => ({
    sectionKey,
    updatedAt: null,
    ...first,
    ...stored.get(sectionKey),
    location,
    first,
  }));
}

/**
 * Returns the texts of all sections as visitors see them, with HTML tags removed. A section without a stored text has
 * its default text.
 */
export function shownSections(stored: readonly SectionRecord[]): ShownSections {
  const saved = new Map(stored.map((section) => [section.sectionKey, section]));
  const shown = [...firstSections].map(([key, first]) => {
    const { title, content } = saved.get(key) ?? first;
    return [key, { title: textOfHtml(title), content: textOfHtml(content) }] as const;
  });
  return Object.fromEntries(shown);
}

/** Reads {@link shownSections} from a database, for code that has no {@link Services}, such as the build. */
export async function readShownSections(database: Database): Promise<ShownSections> {
  return shownSections(await sectionStore(database).list());
}
