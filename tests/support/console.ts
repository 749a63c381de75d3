import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * Console messages of the current test. Vitest loads this file before every file of unit tests. A message that a test
 * did not expect fails the test.
 */
let written: string[] = [];
/**
 * Logged refusals, which are collected separately. Every refused request is logged, and a test that causes one expects
 * it.
 */
let refusals: string[] = [];
const isRefusal = (text: string) => /"(event|of)":"request refused"/.test(text);

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

/** Returns the lines logged so far, and marks them as expected. */
export function takeLog(): string[] {
  const taken = written;
  written = [];
  return taken;
}

/** Returns the refused requests logged so far, and marks them as expected. */
export function takeRefusals(): string[] {
  const taken = refusals;
  refusals = [];
  return taken;
}
