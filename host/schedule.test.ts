import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
const second = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-02T18:30:00.500Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('while a run continues, the next run is skipped, and a stop waits for the run', async () => {
  const finish: (() => void)[] = [];
  const schedules = startSchedules([everySecond], () => new Promise((resolve) => finish.push(resolve)));
  await vi.advanceTimersByTimeAsync(3 * second);
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(finish).toHaveLength(2);
  let stopped = false;
  const stopping = schedules.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(2 * second);
  expect([finish.length, stopped]).toEqual([2, false]);
  finish[1]?.();
  await stopping;
});

test('a failed run is logged with its function’s name, and the next run starts', async () => {
  let runs = 0;
  const schedules = startSchedules([everySecond], async () => {
    runs += 1;
    throw new Error('no database');
  });
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(runs).toBe(2);
  await schedules.stop();
  expect(takeLog().join()).toMatch(/every-second.*no database/);
});

test.each([-400, -1, 400])('a clock that changes by %i days delays no run', async (days) => {
  let runs = 0;
  const schedules = startSchedules([everySecond], async () => void (runs += 1));
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(runs).toBe(2);
  vi.setSystemTime(Date.now() + days * 24 * 60 * 60 * second);
  await vi.advanceTimersByTimeAsync(4 * second);
  expect(runs).toBeGreaterThanOrEqual(5);
  await schedules.stop();
});

test('a scheduled function gets the time of its next run, and has no URL', async () => {
  vi.useRealTimers();
  const began = Date.now();
  const site = await testSite({
    files: {
      'netlify/functions/clock.mjs': `let last = null;
        export default async (request) => { globalThis.lastScheduledRun = { ...(await request.json()), method: request.method }; return new Response(); };
        export const config = { schedule: '* * * * * *' };`,
    },
  });
  expect((await site.get('/.netlify/functions/clock')).status).toBe(404);
  const ran = () => (globalThis as { lastScheduledRun?: { next_run: string; method: string } }).lastScheduledRun;
  await vi.waitFor(() => expect(ran()).toBeDefined(), 15_000);
  expect(ran()?.method).toBe('POST');
  expect(Date.parse(ran()?.next_run ?? '')).toBeGreaterThan(began);
  await site.close();
});
