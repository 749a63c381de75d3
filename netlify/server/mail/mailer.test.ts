import { expect, test } from 'vitest';
import { senderOf } from './mailer.ts';

test('The mail server gets the sender as written in MAIL_FROM', () => {
  expect(senderOf('The Firm, Inc. <no-reply@firm.example>')).toEqual({
    name: 'The Firm, Inc.',
    address: 'no-reply@firm.example',
  });
  expect(senderOf('"The Firm" <no-reply@firm.example>').name).toBe('The Firm');
  expect(senderOf(' no-reply@firm.example ')).toEqual({ name: '', address: 'no-reply@firm.example' });
});
