import { expect, test } from 'vitest';
import { dayText, dayTimeText, zonedTimeText } from './dates.ts';

test('a public date is the same in every time zone', () => {
  expect(dayText('2025-07-14T03:00:00Z', 'America/Los_Angeles')).toBe('Jul 13, 2025');
});

test('a time names its zone if it matters, and which of two repeated times it is', () => {
  expect(zonedTimeText('2026-11-01T08:30:00Z', 'America/Los_Angeles')).toBe('Nov 1, 2026 1:30 AM PDT');
  expect(zonedTimeText('2026-11-01T09:30:00Z', 'America/Los_Angeles')).toBe('Nov 1, 2026 1:30 AM PST');
  expect(zonedTimeText('2026-11-01T09:30:00Z', 'Asia/Kolkata')).toBe('Nov 1, 2026 3:00 PM GMT+5:30');
});

test('an invalid date gives no text', () => {
  expect(zonedTimeText('soon')).toBe('');
  expect(dayText('', 'UTC')).toBe('');
  expect(dayTimeText('soon')).toBe('');
});
