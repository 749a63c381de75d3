import { beforeEach, expect, test } from 'vitest';
import { notifyAdmins } from '../../../netlify/server/mail/notices.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const site = useApi({ mail: true });
beforeEach(async () => {
  for (const email of ['owner@firm.example', 'office@firm.example', 'admin@localhost']) {
    await site.services.stores.admins.create({ email, passwordHash: '-' }, '2026-01-01T00:00:00Z');
  }
});

const recipients = () => site.mail.messages.flatMap(({ envelope }) => envelope.to).sort();
const notice = { key: 'test:1', subject: 'Something happened', paragraphs: ['First.', 'Second.'] };

test('A notice reaches only the people it names', async () => {
  await notifyAdmins(site.services, { ...notice, to: ['office@firm.example', 'admin@localhost'] });
  await site.tick();
  expect(recipients()).toEqual(['office@firm.example']);
});

test('Old notices are deleted from the outbox', async () => {
  await notifyAdmins(site.services, notice);
  await site.tick();
  await site.passTime(91 * day);
  expect(await site.rows('SELECT id FROM outbox')).toEqual([]);
});

test('An action succeeds even if its notice cannot be stored', async () => {
  site.services.database.close();
  await notifyAdmins(site.services, notice);
  expect(takeLog()).toEqual([expect.stringContaining('notice not stored')]);
});
