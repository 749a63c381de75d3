import { useSyncExternalStore } from 'react';
import type { Publishing } from '../../domain/section.ts';

/** A save whose public page is looked at. */
export interface PublicChange {
  /** What was saved, as the admin calls it. */
  readonly subject: string;
  /** The public page that shows it. */
  readonly href: string;
  readonly publishing: Publishing;
  /** Asks the public pages. @returns what is wrong, as a sentence; null if they show the change. */
  readonly look: () => Promise<string | null>;
}

export interface LiveState {
  readonly change: PublicChange;
  /** `late`: visitors should have the change by now. */
  readonly phase: 'checking' | 'live' | 'waiting' | 'late';
  /** When the page first showed the change, or was last looked at; ISO 8601. */
  readonly at: string;
  /** Why it is not public. */
  readonly problem: string | null;
}

/** Seconds between two looks; the last one again and again. */
const pauses = [0.2, 0.5, 1, 2, 4, 8, 15];
/** After so long a change is late, in seconds. A build on Netlify takes minutes. */
const lateAfter: Record<Publishing, number> = { server: 30, build: 600, deploy: 5 };
/** For so long pages are looked at without being asked to, in seconds. */
const giveUpAfter: Record<Publishing, number> = { server: 120, build: 900, deploy: 5 };

let state: LiveState | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: LiveState | null): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Watches the public page of a save until it shows the change. The change before is no longer watched. */
export function watchPublic(change: PublicChange): void {
  clearTimeout(timer);
  const began = Date.now();
  set({ change, phase: 'checking', at: new Date().toISOString(), problem: null });

  const look = async (count: number): Promise<void> => {
    const problem = await change.look();
    if (state?.change !== change) return;
    const at = new Date().toISOString();
    if (problem === null) return set({ change, phase: 'live', at, problem });
    const seconds = (Date.now() - began) / 1000;
    const { publishing } = change;
    // The first looks come before a server has made the page; they worry nobody.
    if (seconds > 3) set({ change, phase: seconds > lateAfter[publishing] ? 'late' : 'waiting', at, problem });
    if (seconds < giveUpAfter[publishing]) timer = setTimeout(() => void look(count + 1), pauseOf(count));
  };
  timer = setTimeout(() => void look(1), pauseOf(0));
}

const pauseOf = (count: number): number => 1000 * (pauses[count] ?? pauses.at(-1) ?? 0);

export function forgetPublic(): void {
  clearTimeout(timer);
  set(null);
}

export function useLiveState(): LiveState | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => state,
    () => null,
  );
}
