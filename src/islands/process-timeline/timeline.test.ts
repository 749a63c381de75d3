import { describe, expect, test } from 'vitest';
import {
  advanceMs,
  isComplete,
  isRunning,
  newTimeline,
  percentComplete,
  timeline,
  type TimelineEvent,
  type TimelineState,
} from './timeline.ts';

const on = (state: TimelineState, ...events: TimelineEvent[]) => events.reduce(timeline, state);
const watched = { type: 'watched', watched: true } as const;
const running = (count = 3) => on(newTimeline(count), watched);

/** Simulates the island's timer for the given time and returns the final state. */
function after(state: TimelineState, ms: number): TimelineState {
  let current = state;
  for (let left = ms; left >= advanceMs && isRunning(current); left -= advanceMs) {
    current = timeline(current, { type: 'advance' });
  }
  return current;
}

describe('The timeline', () => {
  test('waits at its first step, ready to play, until it is scrolled into view', () => {
    const fresh = newTimeline(3);
    expect(fresh).toMatchObject({ step: 0, playing: true, started: false });
    expect(after(on(fresh, { type: 'watched', watched: false }), 20_000)).toMatchObject({ step: 0, started: false });
  });

  test('draws its first step with the start duration, and each later step with the step duration', () => {
    expect(running().drawing).toBe('start');
    expect(after(running(), 3_200).drawing).toBe('step');
    expect(on(after(running(), 6_400), { type: 'replay' }).drawing).toBe('step');
  });

  test('advances every 3.2 s and stops at the last step', () => {
    expect(after(running(), 3_190).step).toBe(0);
    expect(after(running(), 3_200).step).toBe(1);
    const end = after(running(), 6_400);
    expect(end).toMatchObject({ step: 2, playing: false });
    expect(isComplete(end)).toBe(true);
    expect(isRunning(end)).toBe(false);
  });

  test('counts the current step as reached', () => {
    expect([0, 1, 2].map((step) => percentComplete(on(newTimeline(3), { type: 'jump', step })))).toEqual([33, 67, 100]);
  });

  test('plays again from the first step', () => {
    const again = on(after(running(), 6_400), { type: 'replay' });
    expect(again).toMatchObject({ step: 0, playing: true });
    expect(after(again, 3_200).step).toBe(1);
  });

  test('pauses, and restarts the current step when it continues', () => {
    const paused = on(after(running(), 3_000), { type: 'toggle' });
    expect(after(paused, 20_000).step).toBe(0);
    const played = on(paused, { type: 'toggle' });
    expect(after(played, 3_190).step).toBe(0);
    expect(after(played, 3_200).step).toBe(1);
  });

  test('goes to a selected step and pauses there', () => {
    const chosen = on(running(5), { type: 'jump', step: 3 });
    expect(chosen).toMatchObject({ step: 3, playing: false });
    expect(after(chosen, 20_000).step).toBe(3);
  });

  test('never leaves its range of steps', () => {
    expect(on(running(), { type: 'jump', step: -1 }).step).toBe(0);
    expect(on(running(), { type: 'jump', step: 9 }).step).toBe(2);
    expect(on(running(), { type: 'jump', step: 2 }, { type: 'toggle' }).playing).toBe(false);
  });

  test('pauses while it is not visible', () => {
    const away = on(running(), { type: 'watched', watched: false });
    expect(after(away, 20_000).step).toBe(0);
    expect(after(on(away, watched), 3_200).step).toBe(1);
  });

  test('starts paused for a visitor who prefers reduced motion, and plays on request', () => {
    const calm = on(newTimeline(3), { type: 'toggle' }, watched);
    expect(after(calm, 20_000).step).toBe(0);
    expect(after(on(calm, { type: 'toggle' }), 3_200).step).toBe(1);
  });
});
