import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
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

test('Other work continues during a flood, and every request gets its turn', async () => {
  const inTurn = fairTurns();
  let rounds = 0;
  let answered = 0;
  const timer = setInterval(() => (rounds += 1), 1);
  const ask = (visitor: string) =>
    inTurn(visitor, async () => {
      await Promise.resolve();
      busyFor(1);
      answered += 1;
    });
  await Promise.all(Array.from({ length: 200 }, (_, request) => ask(`visitor ${request % 7}`)));
  clearInterval(timer);
  expect(answered).toBe(200);
  // 200 ms of work takes many iterations of the event loop, because an iteration starts no more work after 5 ms
  // (`roundMs`).
  expect(rounds).toBeGreaterThan(5);
});

test('A single visitor can have many running requests; with other visitors each has a few, and slow requests block no one', async () => {
  const inTurn = fairTurns();
  const running = new Map<string, number>();
  let most = 0;
  const slow = (visitor: string, ms: number) =>
    inTurn(visitor, async () => {
      running.set(visitor, (running.get(visitor) ?? 0) + 1);
      most = Math.max(most, running.get(visitor) ?? 0);
      await sleep(ms);
      running.set(visitor, (running.get(visitor) ?? 0) - 1);
    });
  await Promise.all(Array.from({ length: 50 }, () => slow('alone', 20)));
  expect(most).toBeGreaterThan(3);

  const began = performance.now();
  const hung = Array.from({ length: 40 }, (_, request) => slow(`hanging ${request % 4}`, 2_000));
  await slow('visitor', 1);
  expect(performance.now() - began).toBeLessThan(1_000);
  await Promise.all(hung);
  // Nearly all requests run in parallel. If each of the four hanging visitors ran only two requests at a time, the test
  // would take 10 s.
  expect(performance.now() - began).toBeLessThan(3_500);
});

test('A flood of addresses does not use memory permanently, and failed work frees its turn', async () => {
  const inTurn = fairTurns();
  for (let address = 0; address < 3_000; address += 1) await inTurn(`visitor ${address}`, async () => undefined);
  const failing = Array.from({ length: 20 }, () => inTurn('visitor', () => Promise.reject(new Error('no'))));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await inTurn('visitor', async () => 'answered')).toBe('answered');
});
