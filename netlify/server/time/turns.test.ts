import { expect, test } from 'vitest';
import { type InTurn, turns } from './turns.ts';

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Starts work that runs until the test ends it. */
function heldWork(inTurn: InTurn) {
  const open: (() => void)[] = [];
  const started: string[] = [];
  const held = (name: string) =>
    inTurn(() => {
      started.push(name);
      return new Promise<void>((resolve) => open.push(resolve));
    });
  return { held, started, endFirst: () => open.shift()!() };
}

test('only the allowed number of tasks run in parallel, and the others run in the order of their requests', async () => {
  const { held, started, endFirst } = heldWork(turns({ atOnce: 2, waiting: 5, busy: 'Busy.' }));
  const all = ['a', 'b', 'c', 'd', 'e'].map(held);
  for (const names of ['ab', 'abc', 'abcd', 'abcde', 'abcde']) {
    await nextTurn();
    expect(started.join('')).toBe(names);
    endFirst();
  }
  await Promise.all(all);
});

test('failed work passes its turn to the next', async () => {
  const inTurn = turns({ atOnce: 1, waiting: 5, busy: 'Busy.' });
  const failing = inTurn(() => Promise.reject(new Error('a broken picture')));
  const next = inTurn(async () => 'made');
  await expect(failing).rejects.toThrow('a broken picture');
  expect(await next).toBe('made');
  expect(await inTurn(async () => 'made again')).toBe('made again');
});

test('a call that arrives while a turn is passed on does not run in parallel', async () => {
  const { held, started, endFirst } = heldWork(turns({ atOnce: 1, waiting: 5, busy: 'Busy.' }));
  const first = held('first');
  const second = held('second');
  endFirst();
  await first;
  const third = held('third');
  await nextTurn();
  expect(started).toEqual(['first', 'second']);
  endFirst();
  await second;
  await nextTurn();
  expect(started).toEqual(['first', 'second', 'third']);
  endFirst();
  await third;
});
