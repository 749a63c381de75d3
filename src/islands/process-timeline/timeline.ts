/** From one step to the next while it plays (spec §9); milliseconds. */
export const advanceMs = 3_200;

/** The process timeline (spec §4). Nothing in it knows of clocks or screens: when it goes on says {@link isRunning}. */
export interface TimelineState {
  readonly count: number;
  /** Index of the current step. */
  readonly step: number;
  readonly playing: boolean;
  /** How the line of the current step is drawn: 0.8 s at the start, 0.96 s for each step after that (the style sheet). */
  readonly drawing: 'start' | 'step';
  /** It has been scrolled into view, or somebody chose a step. */
  readonly started: boolean;
  /** It is on the screen, in a tab that is shown. */
  readonly watched: boolean;
}

export type TimelineEvent =
  /** It came into view, which starts it, or went out of it. */
  | { type: 'watched'; watched: boolean }
  | { type: 'advance' }
  | { type: 'toggle' }
  | { type: 'jump'; step: number }
  | { type: 'replay' };

/** @param count of steps, at least one. */
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

/** It stands at its last step, where it stops. */
export function isComplete({ step, count }: TimelineState): boolean {
  return step === count - 1;
}

/** Share of the steps that have been reached, in percent. */
export function percentComplete({ step, count }: TimelineState): number {
  return Math.round(((step + 1) / count) * 100);
}

/** It goes on to the next step after {@link advanceMs}, if nothing else happens. */
export function isRunning({ started, playing, watched }: TimelineState): boolean {
  return started && playing && watched;
}
