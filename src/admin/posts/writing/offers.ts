import type { DeviceDraft } from './device-drafts.ts';
import { type PostForm, isBlank, sameWriting } from '../post-form.ts';

/** An earlier draft that the admin can restore. */
export type Offer = DeviceDraft;

/** The maximum number of drafts offered together. */
const offeredAtOnce = 5;

/**
 * Selects the drafts to offer. Leaves out blank drafts, drafts that equal the saved post, drafts that are open in
 * another tab, and duplicates.
 * @returns the drafts, newest first.
 */
export function offersOf(kept: readonly DeviceDraft[], saved: PostForm, written: ReadonlySet<string>): Offer[] {
  const latestFirst = [...kept].sort((one, other) => other.savedAt.localeCompare(one.savedAt));
  const offers: Offer[] = [];
  for (const draft of latestFirst) {
    if (isBlank(draft.form) || sameWriting(draft.form, saved) || written.has(draft.sitting)) continue;
    if (offers.some((offer) => sameWriting(offer.form, draft.form))) continue;
    offers.push(draft);
  }
  return offers.slice(0, offeredAtOnce);
}
