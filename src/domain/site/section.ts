import * as z from 'zod/mini';
import { type Fields, fieldSchema } from '../field.ts';
import { textOfHtml } from '../text/text.ts';

/* @__NO_SIDE_EFFECTS__ */
const optionalLine = (message: string) => z._default(z.nullable(z.string(message)), null);

/** Where the site shows a section, for the content editor. The messages are for a developer whose build fails. */
export const sectionLocation = z.object({
  label: z.string('Add the name of the section in the Content Editor.'),
  where: z.string('Add where the site shows the section, such as "Home > About".'),
  /** Path that shows the section; null if the site does not show it. */
  href: optionalLine('Add the path of the page that shows the section, such as /#about, or leave it out.'),
  /** Descriptions of the title and of the content; null for one that the site does not show. */
  title: optionalLine('Add what the title is, such as The heading, or leave it out.'),
  content: optionalLine('Add what the content is, such as The paragraph, or leave it out.'),
  /** `words`: a heading with its text. `figure`: a number with its label. */
  look: z._default(z.enum(['words', 'figure'], 'Choose "words" or "figure".'), 'words'),
});

export type SectionLocation = z.infer<typeof sectionLocation>;

export const sectionFields = {
  title: { label: 'Title', kind: 'lines', max: 300, rows: 2, message: 'Please enter a title.' },
  content: { label: 'Content', kind: 'lines', optional: true, max: 5_000, rows: 4 },
  metadata: { label: 'Metadata', kind: 'lines', optional: true, max: 10_000, rows: 2 },
} as const satisfies Fields;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const sectionInput = z.object({
  title: fieldSchema(sectionFields.title).check(
    // A title that has only tags would leave an empty heading.
    z.refine((title) => textOfHtml(title) !== '', sectionFields.title.message),
  ),
  content: fieldSchema(sectionFields.content),
  metadata: fieldSchema(sectionFields.metadata).check(
    z.refine((text) => text === '' || isJson(text), 'Metadata must be valid JSON.'),
  ),
});

export type SectionInput = z.infer<typeof sectionInput>;

/**
 * Request body of `PUT /api/cms/content/{sectionKey}`: {@link sectionInput} with the version that the editor opened.
 * The version prevents overwriting a later change by another admin.
 */
export const sectionChange = z.extend(sectionInput, {
  /**
   * The section's `updatedAt` when the editor opened it; null for a section that was not stored yet. Without
   * `updatedAt`, the save always overwrites the section.
   */
  updatedAt: z.optional(z.nullable(z.string())),
});

export type SectionChange = z.infer<typeof sectionChange>;

const sectionRecord = z.object({
  sectionKey: z.string(),
  title: z.string(),
  content: z.string(),
  metadata: z.string(),
  /** ISO 8601, UTC. */
  updatedAt: z.string(),
});

export type SectionRecord = z.infer<typeof sectionRecord>;

/** Response of `GET /api/cms/content/{sectionKey}`. `data` is null until the section is stored. */
export const sectionAnswer = z.object({ data: z.nullable(sectionRecord) });

/** The plain text of a section, as the site shows it. */
const shownSection = z.object({ title: z.string(), content: z.string() });

/** Response of `GET /api/cms/content/published`: every section by key, with its stored text or its default text. */
export const shownSections = z.object({ data: z.record(z.string(), shownSection) });
export type ShownSections = z.infer<typeof shownSections>['data'];

/**
 * How a saved section gets into the HTML of the public pages.
 * - `server`: the server puts the section into the pages.
 * - `build`: the save starts a build.
 * - `deploy`: the next deploy builds the pages with the section.
 */
const publishing = z.enum(['server', 'build', 'deploy']);

/** Response of `PUT /api/cms/content/{sectionKey}`. */
export const sectionSaved = z.object({ data: sectionRecord, publishing });
export type Publishing = z.infer<typeof publishing>;

/** A section in the content editor's list. */
export const sectionEntry = z.extend(sectionRecord, {
  /** Null while the section is not stored and the site shows the default text. */
  updatedAt: z.nullable(z.string()),
  location: sectionLocation,
  /** The default text. */
  first: z.object({ title: z.string(), content: z.string(), metadata: z.string() }),
});

export type SectionEntry = z.infer<typeof sectionEntry>;

/** Response of `GET /api/cms/content`, in page order. */
export const sectionList = z.object({ data: z.array(sectionEntry) });

/** Response of `POST /api/cms/content/initialize`: all sections, and the keys of those that the request added. */
export const sectionsInitialized = z.extend(sectionList, { added: z.array(z.string()) });
