import { expect, test } from 'vitest';
import { scheduleOf } from './schedule.ts';

const of = (...durations: string[]) =>
  scheduleOf(durations.map((duration) => ({ title: duration, description: '', duration })));

test('steps follow each other with their maximum durations', () => {
  const { steps, weeks } = of('1 week', '1–3 weeks', '5 days');
  expect(steps.map(({ span }) => span)).toEqual([
    { start: 0, least: 1, most: 1 },
    { start: 1, least: 1, most: 3 },
    { start: 4, least: 1, most: 1 },
  ]);
  expect(weeks).toBe(5);
});

test('an ongoing step starts after the others and takes the remaining width', () => {
  const { steps, weeks } = of('1-2 weeks', 'Up to 1 month', 'Ongoing');
  expect(steps[1]?.span).toMatchObject({ start: 2, least: 0 });
  const last = steps[2]!.span;
  expect(last.least).toBe(0);
  expect(last.most).toBeGreaterThan(0);
  expect(last.start + last.most).toBeCloseTo(weeks);
});

test('a duration that cannot be drawn causes an error', () => {
  expect(() => of('a while')).toThrow('a while');
});
