import * as z from 'zod/mini';
import { recordShape } from '../../domain/field.ts';
import { sectionFields } from '../../domain/section.ts';

/** The editable text of a section, by field name. */
export type SectionDraft = Readonly<Record<keyof typeof sectionFields, string>>;

const draft = z.object(recordShape(sectionFields));
const storageKey = (key: string) => `section-draft:${key}`;

/** Returns the unsaved draft of a section that this browser stores; null if there is none. */
export function readDraft(key: string): SectionDraft | null {
  try {
    const parsed = draft.safeParse(JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Stores the draft in this browser. If storage is unavailable, only the open editor has the draft. */
export function keepDraft(key: string, words: SectionDraft): void {
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(words));
  } catch {
    // Storage is full or blocked.
  }
}

export function forgetDraft(key: string): void {
  try {
    localStorage.removeItem(storageKey(key));
  } catch {
    // Storage is blocked.
  }
}

export const sameWords = (one: SectionDraft, other: SectionDraft): boolean =>
  (Object.keys(sectionFields) as (keyof SectionDraft)[]).every((name) => one[name] === other[name]);
