import { expect, test } from 'vitest';
import type { DeliveryState } from '../../domain/delivery.ts';
import { areEmailsSent, messagesOf, statusGroups, timePrefix } from './delivery-text.ts';

const at = '2026-03-02T18:30:00.000Z';
type Status = DeliveryState['status'];

const state = (status: Status): DeliveryState => ({ status, at, error: null });

test('A waiting email shows its next attempt, or how long it has waited', () => {
  expect(timePrefix(state('retrying'), Date.parse(at) - 1)).toBe('Next attempt');
  expect(timePrefix(state('waiting'), Date.parse(at) + 1)).toBe('Waiting since');
  expect(timePrefix(state('failed'), 0)).toBe('Failed on');
  expect(timePrefix({ status: 'none', at: null, error: null }, 0)).toBeNull();
});

test('A list shows a shared status once, and the recipient only if the statuses differ', () => {
  const groups = (firm: Status, sender: Status, webhook: Status) =>
    statusGroups({ firm: state(firm), sender: state(sender), webhook: state(webhook) });
  expect(groups('sent', 'sent', 'none')).toEqual([{ status: 'sent', who: 'Emails' }]);
  expect(groups('sent', 'sent', 'sent')).toEqual([{ status: 'sent', who: 'Messages' }]);
  expect(groups('none', 'none', 'none')).toEqual([{ status: 'none', who: undefined }]);
  expect(groups('sent', 'failed', 'sent')).toEqual([
    { status: 'sent', who: 'To firm and team chat:' },
    { status: 'failed', who: 'To visitor:' },
  ]);
  expect(groups('sent', 'sent', 'failed')).toEqual([
    { status: 'sent', who: 'Emails' },
    { status: 'failed', who: 'To team chat:' },
  ]);
});

test('A chat that is not set up has no status', () => {
  const of = (webhook: Status) =>
    messagesOf({ firm: state('sent'), sender: state('sent'), webhook: state(webhook) }).map(({ id }) => id);
  expect(of('none')).toEqual(['firm', 'sender']);
  expect(of('failed')).toEqual(['firm', 'sender', 'webhook']);
});

test('A released submission promises no emails if both were sent before', () => {
  const of = (firm: Status, sender: Status) =>
    areEmailsSent({ firm: state(firm), sender: state(sender), webhook: state('none') });
  expect(of('sent', 'sent')).toBe(true);
  expect(of('sent', 'none')).toBe(false);
  expect(of('none', 'sent')).toBe(false);
});
