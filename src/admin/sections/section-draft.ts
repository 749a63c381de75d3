import * as z from 'zod/mini';
import { recordShape } from '../../domain/field.ts';
import { sectionFields } from '../../domain/section.ts';

/** The editable text of a section, by field name. */
export type SectionDraft = Readonly<Record<keyof typeof sectionFields, string>>;

const drafts = z.array(z.object(recordShape(sectionFields)));
/** The most drafts of one section. An admin who types and leaves, and answers no offer, adds one at each visit. */
const mostDrafts = 5;
const storageKey = (key: string) => `section-draft:${key}`;

/** Returns the unsaved drafts of a section that this browser stores, oldest first. */
export function readDrafts(key: string): readonly SectionDraft[] {
  try {
    // Earlier releases stored one draft without an array.
    const parsed = drafts.safeParse([JSON.parse(localStorage.getItem(storageKey(key)) ?? '[]')].flat());
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/**
 * Replaces the drafts in this browser with the newest {@link mostDrafts}. If storage is unavailable, only the open
 * editor has the drafts.
 */
export function keepDrafts(key: string, kept: readonly SectionDraft[]): void {
  try {
    if (kept.length === 0) localStorage.removeItem(storageKey(key));
    else localStorage.setItem(storageKey(key), JSON.stringify(kept.slice(-mostDrafts)));
  } catch {
    // Storage is full or blocked.
  }
}

export const sameWords = (one: SectionDraft, other: SectionDraft): boolean =>
  (Object.keys(sectionFields) as (keyof SectionDraft)[]).every((name) => one[name] === other[name]);
