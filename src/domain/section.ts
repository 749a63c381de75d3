import * as z from 'zod/mini';
import { linesField } from './plain-text.ts';

/** The home texts that an admin can edit (spec §3, and `stats_awards` by the decisions), in page order. */
export const sectionKeys = [
  'hero_title',
  'hero_subtitle',
  'about_title',
  'about_description',
  'stats_projects',
  'stats_experience',
  'stats_clients',
  'stats_awards',
  'stats_uptime',
  'cta_title',
  'cta_description',
] as const;

export const sectionKey = z.enum(sectionKeys);
export type SectionKey = z.infer<typeof sectionKey>;

/** Text that holds JSON, or nothing. */
const metadataField = z.string().check(
  z.trim(),
  z.maxLength(10_000, 'Please use at most 10,000 characters.'),
  z.refine((text) => {
    if (text === '') return true;
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }, 'Metadata must be valid JSON.'),
);

/** `PUT /api/cms/content/{sectionKey}`. */
export const sectionInput = z.object({
  title: linesField('Please enter a title.', { max: 300 }),
  content: z._default(linesField('', { min: 0, max: 5_000 }), ''),
  metadata: z._default(metadataField, ''),
});

export type SectionInput = z.infer<typeof sectionInput>;

/** As {@link sectionInput}, with what the editor saw when it began: somebody else's later change is then not overwritten. */
export const sectionChange = z.extend(sectionInput, {
  /** The section's `updatedAt` at that time, null where it was not stored yet; left out, the change goes over whatever there is. */
  updatedAt: z.optional(z.nullable(z.string())),
});

export type SectionChange = z.infer<typeof sectionChange>;

export const sectionRecord = z.object({
  sectionKey,
  title: z.string(),
  content: z.string(),
  metadata: z.string(),
  /** ISO 8601, UTC. */
  updatedAt: z.string(),
});

export type SectionRecord = z.infer<typeof sectionRecord>;

/** `GET /api/cms/content/{sectionKey}`: null while nobody has stored the section. */
export const sectionAnswer = z.object({ data: z.nullable(sectionRecord) });

/** A section as the site shows it: plain text. */
const shownSection = z.object({ title: z.string(), content: z.string() });

/** `GET /api/cms/content/published`: every section, stored or not. */
export const shownSections = z.object({ data: z.record(sectionKey, shownSection) });
export type ShownSections = z.infer<typeof shownSections>['data'];

/** The public pages that show sections. A test compares the list with the built pages. */
export const sectionPages = ['/', '/contact'] as const;

/**
 * How a saved section gets into the HTML of the public pages: the server that runs the site puts it in, a build that the save asked for
 * does, or nothing does until somebody deploys the site.
 */
const publishing = z.enum(['server', 'build', 'deploy']);

/** `PUT /api/cms/content/{sectionKey}`. */
export const sectionSaved = z.object({ data: sectionRecord, publishing });
export type Publishing = z.infer<typeof publishing>;

/** A section as the editor lists it. */
const sectionEntry = z.extend(sectionRecord, {
  /** Null while nobody has stored it: the site then shows its first text. */
  updatedAt: z.nullable(z.string()),
  /** The text that comes with the site. */
  first: z.object({ title: z.string(), content: z.string(), metadata: z.string() }),
});

export type SectionEntry = z.infer<typeof sectionEntry>;

/** `GET /api/cms/content`, in page order. */
export const sectionList = z.object({ data: z.array(sectionEntry) });

/** `POST /api/cms/content/initialize`: all sections, and the keys of those that were missing. */
export const sectionsInitialized = z.extend(sectionList, { added: z.array(sectionKey) });
