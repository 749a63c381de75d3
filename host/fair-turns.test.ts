import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fairTurns } from './fair-turns.ts';

const busyFor = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('A single request starts immediately, every time', async () => {
  const inTurn = fairTurns();
  for (let request = 0; request < 20; request += 1) {
    let started = false;
    const done = inTurn('192.0.2.1', async () => void (started = true));
    expect(started).toBe(true);
    await done;
    await nextRound();
  }
});

test('A visitor with one request goes before hundreds of requests of hostile visitors', async () => {
  const inTurn = fairTurns();
  const order: string[] = [];
  const ask = (visitor: string) =>
    inTurn(visitor, async () => {
      busyFor(1);
      order.push(visitor);
      await nextRound();
    });
  const all = Array.from({ length: 200 }, (_, request) => ask(`hostile ${request % 4}`));
  while (order.length < 40) await nextRound();
  all.push(ask('visitor'));
  const before = order.length;
  await Promise.all(all);
  expect(order).toHaveLength(201);
  expect(order.indexOf('visitor') - before).toBeLessThanOrEqual(20);
});

test('Failed work frees its turn', async () => {
  const inTurn = fairTurns();
  const failing = Array.from({ length: 20 }, () => inTurn('visitor', () => Promise.reject(new Error('no'))));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await inTurn('visitor', async () => 'answered')).toBe('answered');
});
