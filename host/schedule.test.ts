import { expect, test, vi } from 'vitest';
import { takeLog } from '../tests/support/console.ts';
import type { MountedFunction } from './functions.ts';
import { startSchedules } from './schedule.ts';
import { testSite } from '../tests/support/test-site.ts';

const everySecond: MountedFunction = {
  name: 'every-second',
  handler: () => new Response(),
  schedule: '* * * * * *',
  preferStatic: false,
  limit: undefined,
  bodyLimit: () => 0,
  generated: false,
};
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

test('while a run continues, the next run is skipped, and a stop waits for the run', async () => {
  let running = 0;
  let most = 0;
  let finished = 0;
  const schedules = startSchedules([everySecond], async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(1_500);
    running -= 1;
    finished += 1;
  });
  await vi.waitFor(() => expect(finished).toBe(1), 4_000);
  await vi.waitFor(() => expect(running).toBe(1), 3_000);
  await schedules.stop();
  expect({ most, running, finished }).toEqual({ most: 1, running: 0, finished: 2 });
});

test('a failed run is logged with its function’s name, and the next run starts', async () => {
  let runs = 0;
  const schedules = startSchedules([everySecond], async () => {
    runs += 1;
    throw new Error('no database');
  });
  await vi.waitFor(() => expect(runs).toBe(2), 4_000);
  await schedules.stop();
  expect(takeLog().join()).toMatch(/every-second.*no database/);
});

test.each([-400, -1, 400])('a clock that changes by %i days delays no run', async (days) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const moving = setInterval(() => vi.setSystemTime(Date.now() + 50), 50);
  try {
    let runs = 0;
    const schedules = startSchedules([everySecond], async () => void (runs += 1));
    await vi.waitFor(() => expect(runs).toBeGreaterThan(0), 4_000);
    vi.setSystemTime(Date.now() + days * 24 * 60 * 60_000);
    const before = runs;
    await vi.waitFor(() => expect(runs).toBeGreaterThan(before + 1), 8_000);
    await schedules.stop();
  } finally {
    clearInterval(moving);
    vi.useRealTimers();
  }
});

test('a scheduled function gets the time of its next run, and has no URL', async () => {
  const site = await testSite({
    files: {
      'netlify/functions/clock.mjs': `let last = null;
        export default async (request) => { globalThis.lastScheduledRun = { ...(await request.json()), method: request.method }; return new Response(); };
        export const config = { schedule: '* * * * * *' };`,
    },
  });
  expect((await site.get('/.netlify/functions/clock')).status).toBe(404);
  const ran = () => (globalThis as { lastScheduledRun?: { next_run: string; method: string } }).lastScheduledRun;
  await vi.waitFor(() => expect(ran()).toBeDefined(), 3_000);
  expect(ran()?.method).toBe('POST');
  expect(Date.parse(ran()?.next_run ?? '')).toBeGreaterThan(Date.now() - 1_000);
  await site.close();
});
