import { afterEach, beforeEach, expect, vi } from 'vitest';
import { resetLog } from '../../netlify/server/log.ts';

/**
 * Console messages of the current test. Vitest loads this file before every file of unit tests. A message that a test
 * did not expect fails the test.
 */
let written: string[] = [];
/**
 * Log lines about refused requests and skipped acknowledgments in the current test. These lines do not fail the test,
 * because many tests send requests that the site must refuse, or several forms of one person.
 */
let refusals: string[] = [];
const isRefusal = (text: string) => /"(event|of)":"(request refused|acknowledgment skipped)"/.test(text);

beforeEach(() => {
  resetLog();
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

/** Returns the log lines about refused requests and skipped acknowledgments so far, and clears the list. */
export function takeRefusals(): string[] {
  const taken = refusals;
  refusals = [];
  return taken;
}
