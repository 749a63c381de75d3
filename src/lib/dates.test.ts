import { expect, test } from 'vitest';
import { dayText, dayTimeText, writtenDay, zonedTimeText } from './dates.ts';

test('a date and time in a time zone has plain spaces', () => {
  expect(dayTimeText('2025-07-14T22:05:00Z', 'America/Los_Angeles')).toBe('Jul 14, 2025 3:05 PM');
  expect(dayTimeText('2025-09-01T00:00:00Z', 'UTC')).toBe('Sep 1, 2025 12:00 AM');
  expect(dayTimeText('2025-09-01T12:30:59Z', 'UTC')).toBe('Sep 1, 2025 12:30 PM');
  expect(dayTimeText('2025-12-31T23:30:00Z', 'Europe/Berlin')).toBe('Jan 1, 2026 12:30 AM');
});

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

test('a calendar date is the same in every time zone of the machine', () => {
  expect(writtenDay('2025-07-14')).toBe('July 14, 2025');
  expect(writtenDay('2025-12-31')).toBe('December 31, 2025');
});
