import * as z from 'zod/mini';
import type { SectionKey } from '../../domain/section.ts';

/** A text as it is being written. */
export interface SectionWords {
  readonly title: string;
  readonly content: string;
  readonly metadata: string;
}

const draft = z.object({ title: z.string(), content: z.string(), metadata: z.string() });
const storageKey = (key: SectionKey) => `section-draft:${key}`;

/** What was being written when the page was left, if it was not saved; null where there is nothing. */
export function readDraft(key: SectionKey): SectionWords | null {
  try {
    const parsed = draft.safeParse(JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Keeps what is being written on this device. A browser that keeps nothing still has it until the page is left. */
export function keepDraft(key: SectionKey, words: SectionWords): void {
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(words));
  } catch {
    // Storage is full or forbidden.
  }
}

export function forgetDraft(key: SectionKey): void {
  try {
    localStorage.removeItem(storageKey(key));
  } catch {
    // Storage is forbidden.
  }
}

export const sameWords = (one: SectionWords, other: SectionWords): boolean =>
  one.title === other.title && one.content === other.content && one.metadata === other.metadata;
