import { expect, test } from 'vitest';
import { yearsFrom } from './application.ts';

test('A year later is the same day, or the last day of February', () => {
  expect(yearsFrom('2026-03-02T18:30:00.000Z', 4)).toBe('2030-03-02T18:30:00.000Z');
  expect(yearsFrom('2028-02-29T18:30:00.000Z', 4)).toBe('2032-02-29T18:30:00.000Z');
  expect(yearsFrom('2028-02-29T18:30:00.000Z', 5)).toBe('2033-02-28T18:30:00.000Z');
  expect(yearsFrom('2028-02-29T18:30:00.000Z', -5)).toBe('2023-02-28T18:30:00.000Z');
});
