import { expect, test } from 'vitest';
import type { DeliveryState } from '../../domain/delivery.ts';
import { sharedStatus, timePrefix } from './delivery-text.ts';

const at = '2026-03-02T18:30:00.000Z';
const state = (status: DeliveryState['status']): DeliveryState => ({ status, at, error: null });

test('A mail that is still to go says when, or since when', () => {
  expect(timePrefix(state('retrying'), Date.parse(at) - 1)).toBe('Next try');
  expect(timePrefix(state('waiting'), Date.parse(at) + 1)).toBe('Due since');
  expect(timePrefix(state('failed'), 0)).toBe('Given up');
  expect(timePrefix({ status: 'none', at: null, error: null }, 0)).toBeNull();
});

test('Two mails share a state only where it is the same', () => {
  expect(sharedStatus({ firm: state('sent'), sender: state('sent') })).toBe('sent');
  expect(sharedStatus({ firm: state('sent'), sender: state('failed') })).toBeNull();
});
