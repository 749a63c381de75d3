import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { everyMinute } from '../../../host/http/server.ts';
import { takeLog } from '../../support/console.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-02T18:30:00.500Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first run starts at the next full minute', async () => {
  let runs = 0;
  const stop = everyMinute('jobs', async () => (runs += 1));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(500);
  expect(runs).toBe(1);
  await stop();
});

test('while a run continues, the next run is skipped, and a stop waits for the run', async () => {
  const finish: (() => void)[] = [];
  const stop = everyMinute('jobs', () => new Promise<void>((resolve) => finish.push(resolve)));
  await vi.advanceTimersByTimeAsync(3 * minute);
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(finish).toHaveLength(2);
  let stopped = false;
  const stopping = stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect([finish.length, stopped]).toEqual([2, false]);
  finish[1]?.();
  await stopping;
});

test('a failed run is logged with its function’s name, and the next run starts', async () => {
  let runs = 0;
  const stop = everyMinute('jobs', async () => {
    runs += 1;
    throw new Error('no database');
  });
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(runs).toBe(2);
  await stop();
  expect(takeLog().join()).toMatch(/jobs.*no database/);
});

test.each([-400, -1, 400])('a clock that changes by %i days delays no run', async (days) => {
  let runs = 0;
  const stop = everyMinute('jobs', async () => (runs += 1));
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(runs).toBe(2);
  vi.setSystemTime(Date.now() + days * 24 * 60 * minute);
  await vi.advanceTimersByTimeAsync(4 * minute);
  expect(runs).toBeGreaterThanOrEqual(5);
  await stop();
});
