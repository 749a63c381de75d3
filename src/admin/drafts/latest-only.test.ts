import { expect, test } from 'vitest';
import { latestOnly } from './latest-only.ts';

test('a slow writer gets the first value and the last one, and skips the values between', async () => {
  const written: number[] = [];
  const gates: (() => void)[] = [];
  const keep = latestOnly<number>(async (value) => {
    await new Promise<void>((open) => gates.push(open));
    written.push(value);
  });
  const all = [keep(1), keep(2), keep(3)];
  gates.shift()?.();
  await all[0];
  await expect.poll(() => gates.length).toBe(1);
  gates.shift()?.();
  await Promise.all(all);
  expect(written).toEqual([1, 3]);
});

test('a failed write rejects for its caller, and the next write is tried', async () => {
  let fails = true;
  const keep = latestOnly<string>(async () => {
    if (fails) throw new Error('full');
  });
  await expect(keep('a')).rejects.toThrow('full');
  fails = false;
  await keep('b');
});
