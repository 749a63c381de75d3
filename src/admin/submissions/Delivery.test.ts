import { expect, test } from 'vitest';
import type { DeliveryState } from '../../domain/submission.ts';
import { messagesOf, summaryOf } from './Delivery.tsx';

type Status = DeliveryState['status'];

const state = (status: Status): DeliveryState => ({ status, at: null, error: null });
const delivery = (firm: Status, sender: Status, webhook: Status) => ({
  firm: state(firm),
  sender: state(sender),
  webhook: state(webhook),
});

test('A list shows the state that needs the most attention, and how many messages have it', () => {
  const text = (...statuses: Parameters<typeof delivery>) => summaryOf(delivery(...statuses)).text;
  expect(text('sent', 'sent', 'none')).toBe('Emails sent');
  expect(text('sent', 'sent', 'sent')).toBe('Messages sent');
  expect(text('none', 'none', 'none')).toBe('Emails not sent');
  expect(text('retrying', 'failed', 'sent')).toBe('1 of 3 failed');
  expect(text('retrying', 'sent', 'none')).toBe('1 of 2 retrying');
});

test('A chat that is not set up has no status', () => {
  expect(messagesOf(delivery('sent', 'sent', 'none')).map(({ id }) => id)).toEqual(['firm', 'sender']);
  expect(messagesOf(delivery('sent', 'sent', 'failed')).map(({ id }) => id)).toEqual(['firm', 'sender', 'webhook']);
});
