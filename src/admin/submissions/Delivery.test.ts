import { expect, test } from 'vitest';
import type { DeliveryState } from '../../domain/submission.ts';
import { summaryOf } from './Delivery.tsx';

type Status = DeliveryState['status'];

test.for<[firm: Status, sender: Status, webhook: Status, text: string]>([
  ['sent', 'sent', 'none', 'Emails sent'],
  ['sent', 'sent', 'sent', 'Messages sent'],
  ['none', 'none', 'none', 'Emails not sent'],
  ['retrying', 'failed', 'sent', '1 of 3 failed'],
  ['retrying', 'sent', 'none', '1 of 2 retrying'],
])('A list shows the state that needs the most attention: %s, %s and %s is %j', ([firm, sender, webhook, text]) => {
  const state = (status: Status) => ({ status, at: null, error: null });
  expect(summaryOf({ firm: state(firm), sender: state(sender), webhook: state(webhook) }).text).toBe(text);
});
