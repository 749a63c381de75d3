/** Time between two steps during playback, in milliseconds. */
export const advanceMs = 3_200;

/**
 * State of the process timeline (docs/product.md#process-timeline). This module has no clock and no DOM: the island
 * sets a timer while {@link isRunning} is true.
 */
export interface TimelineState {
  readonly count: number;
  /** Index of the current step. */
  readonly step: number;
  readonly playing: boolean;
  /** Animation of the current step's bar: 0.8 s at the start, 0.96 s for each later step (process-timeline.css). */
  readonly drawing: 'start' | 'step';
  /** True once the timeline has come into view, or the visitor has chosen a step. */
  readonly started: boolean;
  /** True while the timeline is in view and its tab is visible. */
  readonly watched: boolean;
}

export type TimelineEvent =
  /** The timeline came into view or left it. The first time in view starts the timeline. */
  | { type: 'watched'; watched: boolean }
  | { type: 'advance' }
  | { type: 'toggle' }
  | { type: 'jump'; step: number }
  | { type: 'replay' };

/**
 * Returns the initial state.
 * @param count number of steps, at least one.
 */
export function newTimeline(count: number): TimelineState {
  return { count, step: 0, playing: true, drawing: 'start', started: false, watched: false };
}

export function timeline(state: TimelineState, event: TimelineEvent): TimelineState {
  switch (event.type) {
    case 'watched':
      return { ...state, watched: event.watched, started: state.started || event.watched };
    case 'toggle':
      return { ...state, playing: !state.playing && !isComplete(state) };
    case 'replay':
      return { ...state, step: 0, playing: true, drawing: 'step' };
    case 'advance':
      return arriveAt(state, state.step + 1);
    case 'jump':
      return { ...arriveAt(state, event.step), started: true, playing: false };
  }
}

function arriveAt(state: TimelineState, step: number): TimelineState {
  const last = state.count - 1;
  const next = Math.min(Math.max(step, 0), last);
  return { ...state, step: next, drawing: 'step', playing: state.playing && next < last };
}

/** Returns true at the last step, where playback stops. */
export function isComplete({ step, count }: TimelineState): boolean {
  return step === count - 1;
}

export function percentComplete({ step, count }: TimelineState): number {
  return Math.round(((step + 1) / count) * 100);
}

/** Returns true if the timeline will advance to the next step after {@link advanceMs}. */
export function isRunning({ started, playing, watched }: TimelineState): boolean {
  return started && playing && watched;
}
