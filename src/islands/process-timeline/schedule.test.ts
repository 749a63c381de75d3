import { expect, test } from 'vitest';
import { scheduleOf } from './schedule.ts';

test('steps follow each other, each as long as it may take', () => {
  const { spans, weeks } = scheduleOf(['1 week', '1-3 weeks', '5 days']);
  expect(spans).toEqual([
    { start: 0, least: 1, most: 1 },
    { start: 1, least: 1, most: 3 },
    { start: 4, least: 1, most: 1 },
  ]);
  expect(weeks).toBe(5);
});

test('a step that goes on begins after the others and has room', () => {
  const { spans, weeks } = scheduleOf(['1-2 weeks', 'Up to 1 month', 'Ongoing']);
  expect(spans[1]).toMatchObject({ start: 2, least: 0 });
  expect(spans[2]?.most).toBeNull();
  expect(weeks).toBeGreaterThan(spans[2]?.start ?? Infinity);
});

test('a duration that nobody can draw is an error', () => {
  expect(() => scheduleOf(['a while'])).toThrow('a while');
});
