/** From one step to the next while it plays (spec §9); milliseconds. */
export const advanceMs = 3_200;
/** How long the line of a step is drawn: when the timeline starts, and for each step after that (spec §4). */
export const drawMs = { start: 800, step: 960 } as const;

/** The process timeline (spec §4). Nothing in it knows of clocks or screens: what is due says {@link dueOf}. */
export interface TimelineState {
  readonly count: number;
  /** Index of the current step. */
  readonly step: number;
  readonly playing: boolean;
  /** Which animation is running, if any. */
  readonly animating: keyof typeof drawMs | null;
  /** It has been scrolled into view, or somebody chose a step. */
  readonly started: boolean;
  /** It is on the screen, in a tab that is shown. */
  readonly watched: boolean;
  /** A person chose the current step: it is worth saying aloud. */
  readonly chosen: boolean;
}

export type TimelineEvent =
  /** It was scrolled into view. */
  | { type: 'seen' }
  | { type: 'watched'; watched: boolean }
  /** The visitor asks for less motion: nothing plays unless it is asked for. */
  | { type: 'calm' }
  | { type: 'advance' }
  | { type: 'drawn' }
  | { type: 'toggle' }
  | { type: 'jump'; step: number }
  | { type: 'replay' };

/** @param count of steps, at least one. */
export function newTimeline(count: number): TimelineState {
  return { count, step: 0, playing: true, animating: null, started: false, watched: false, chosen: false };
}

export function timeline(state: TimelineState, event: TimelineEvent): TimelineState {
  switch (event.type) {
    case 'seen':
      return state.started ? state : { ...state, started: true, animating: 'start' };
    case 'watched':
      return { ...state, watched: event.watched };
    case 'calm':
      return { ...state, playing: false };
    case 'drawn':
      return { ...state, animating: null };
    case 'toggle':
      return isComplete(state) ? state : { ...state, playing: !state.playing };
    case 'replay':
      return { ...state, step: 0, playing: true, animating: 'step', chosen: false };
    case 'advance':
      return arriveAt({ ...state, chosen: false }, state.step + 1);
    case 'jump':
      return { ...arriveAt({ ...state, chosen: true }, event.step), started: true, playing: false };
  }
}

function arriveAt(state: TimelineState, step: number): TimelineState {
  const last = state.count - 1;
  const next = Math.min(Math.max(step, 0), last);
  return { ...state, step: next, animating: 'step', playing: state.playing && next < last };
}

/** It stands at its last step, where it stops. */
export function isComplete({ step, count }: TimelineState): boolean {
  return step === count - 1;
}

/** Share of the steps that have been reached, in percent. */
export function percentComplete({ step, count }: TimelineState): number {
  return Math.round(((step + 1) / count) * 100);
}

/** What happens by itself if nothing else does, and how many milliseconds after the state came about. */
export function dueOf(state: TimelineState): { advance: number | null; drawn: number | null } {
  const runs = state.started && state.playing && state.watched && !isComplete(state);
  return { advance: runs ? advanceMs : null, drawn: state.animating && drawMs[state.animating] };
}
