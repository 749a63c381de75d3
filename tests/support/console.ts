import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Set up for every unit test: a message on the console that no test expected fails it. */
let written: string[] = [];

beforeEach(() => {
  written = [];
  for (const method of ['error', 'warn', 'log', 'info'] as const) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      written.push(values.map(String).join(' '));
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
