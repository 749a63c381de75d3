import { expect, test } from 'vitest';
import { turns } from './turns.ts';

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Creates work that runs until the test finishes it, and counts how many calls ran at the same time. */
function heldWork() {
  const open: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = async (name: string) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => open.push(resolve));
    running -= 1;
    return name;
  };
  return { work, finishOne: () => open.shift()?.(), most: () => most, running: () => running };
}

test('only the allowed number of tasks run in parallel, and the others run in the order of their requests', async () => {
  const inTurn = turns({ atOnce: 2, waiting: 10, busy: 'Busy.' });
  const held = heldWork();
  const finished: string[] = [];
  const all = ['a', 'b', 'c', 'd', 'e'].map(async (name) => {
    finished.push(await inTurn(() => held.work(name)));
  });
  for (let left = 5; left > 0; left -= 1) {
    await nextTurn();
    expect(held.running()).toBe(Math.min(2, left));
    held.finishOne();
  }
  await Promise.all(all);
  expect(finished).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(held.most()).toBe(2);
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
  const inTurn = turns({ atOnce: 1, waiting: 5, busy: 'Busy.' });
  const held = heldWork();
  const first = inTurn(() => held.work('first'));
  const second = inTurn(() => held.work('second'));
  held.finishOne();
  await first;
  const third = inTurn(() => held.work('third'));
  await nextTurn();
  expect(held.most()).toBe(1);
  held.finishOne();
  await second;
  await nextTurn();
  held.finishOne();
  expect(await third).toBe('third');
});
