import type { FaultState } from '../stores/faults.ts';

/** An event about which the admins are notified. */
type FaultEvent = 'began' | 'ended';

interface Step {
  /** The state to store; null deletes the fault. */
  readonly next: FaultState | null;
  readonly event: FaultEvent | null;
}

/**
 * A fault is reported after it has lasted for this time, so the restart of a database or mail server is not reported.
 */
const holdMs = 60_000;
/** A fault is over after the part has worked for this time, so repeated short failures count as one fault. */
const calmMs = 2 * 60_000;

/**
 * Decides the next state of one part of the site.
 * @param state the stored fault, or null.
 * @param words a description of the current problem; null if the part works.
 */
export function nextFaultState(part: string, state: FaultState | null, words: string | null, at: Date): Step {
  const now = at.toISOString();
  // The absolute value prevents a clock that was set back from extending a fault forever.
  const since = (time: string) => Math.abs(at.getTime() - Date.parse(time));
  if (words !== null) {
    if (!state) return { next: { part, words, beganAt: now, announcedAt: null, clearedAt: null }, event: null };
    const current = { ...state, words, clearedAt: null };
    if (state.announcedAt !== null || since(state.beganAt) < holdMs) return { next: current, event: null };
    return { next: { ...current, announcedAt: now }, event: 'began' };
  }
  if (!state) return { next: null, event: null };
  if (state.clearedAt === null) return { next: { ...state, clearedAt: now }, event: null };
  if (since(state.clearedAt) < calmMs) return { next: state, event: null };
  return { next: null, event: state.announcedAt === null ? null : 'ended' };
}
