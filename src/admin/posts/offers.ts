import type { DeviceDraft } from './device-drafts.ts';
import { type PostForm, isBlank, sameWriting } from './post-form.ts';

/** Earlier writing that can be put back. */
export type Offer = DeviceDraft;

/** So many are offered at once; the older ones wait. */
const offeredAtOnce = 5;

/**
 * What of the kept writing is worth offering: nothing that is blank, that says what is saved anyway, that is being written
 * in another tab just now, or that stands there twice.
 * @returns the latest first.
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
