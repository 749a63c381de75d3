import { expect, test } from 'vitest';
import { turns } from './turns.ts';

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

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
  const open: (() => void)[] = [];
  const started: string[] = [];
  const held = (name: string) =>
    inTurn(() => {
      started.push(name);
      return new Promise<void>((resolve) => open.push(resolve));
    });
  const first = held('first');
  const second = held('second');
  open.shift()!();
  await first;
  const third = held('third');
  await nextTurn();
  expect(started).toEqual(['first', 'second']);
  open.shift()!();
  await second;
  await nextTurn();
  expect(started).toEqual(['first', 'second', 'third']);
  open.shift()!();
  await third;
});
