import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Set up for every unit test: a message on the console that no test expected fails it. */
let written: string[] = [];
/** Every refused request is logged, and a test that provokes one expects it. */
let refusals: string[] = [];
const isRefusal = (text: string) => text.includes('"event":"request refused"');

beforeEach(() => {
  written = [];
  refusals = [];
  for (const method of ['error', 'warn', 'log', 'info'] as const) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      const text = values.map(String).join(' ');
      (isRefusal(text) ? refusals : written).push(text);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(written, 'messages on the console that the test did not expect').toEqual([]);
});

/** The lines logged so far, which the test thereby expects. */
export function takeLog(): string[] {
  const taken = written;
  written = [];
  return taken;
}

/** The refused requests logged so far. */
export function takeRefusals(): string[] {
  const taken = refusals;
  refusals = [];
  return taken;
}
