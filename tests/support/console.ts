import { afterEach, beforeEach, expect, vi } from 'vitest';
import { resetLog } from '../../netlify/server/runtime/log.ts';
import { writeTrail } from '../../netlify/server/security/trail.ts';
import type { Services } from '../../netlify/server/services.ts';

/**
 * Console messages of the current test. Vitest loads this file before every file of unit tests. A message that a test
 * did not expect fails the test.
 */
let written: string[] = [];
/**
 * Log lines about refused requests in the current test. These lines do not fail the test, because many tests send
 * requests that the site must refuse.
 */
let refusals: string[] = [];
const isRefusal = (text: string) => /"(event|of)":"request refused"/.test(text);

/** Takes the counts of refused requests that earlier tests in this process have left, and stores them nowhere. */
const forgetRefusals = () =>
  writeTrail({
    stores: { activity: { addRefusals: async () => undefined } },
    now: () => new Date(),
  } as unknown as Services);

beforeEach(async () => {
  await forgetRefusals();
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

/** Returns the log lines about refused requests so far, and clears the list. */
export function takeRefusals(): string[] {
  const taken = refusals;
  refusals = [];
  return taken;
}
