import { afterEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../netlify/server/db/database.ts';
import type { Services } from '../../../netlify/server/services.ts';
import { owner, useApi } from '../../support/api/api.ts';
import { takeLog } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { testServices } from '../../support/api/services.ts';

const minute = 60_000;
const hour = 60 * minute;
const site = useApi({ mail: true, chat: true, owner: true });
afterEach(() => void takeLog());

const { anotherProcess, tick } = site;
const minutes = async (count: number, services?: Services) => {
  for (let passed = 0; passed < count; passed += 1) {
    site.advance(minute);
    await tick(services);
  }
};
/** Returns services whose file storage does not work. */
const withoutFiles = () =>
  anotherProcess({ blobs: (name) => (name === 'health' ? expect.fail('no such folder') : site.blobs(name)) });
const alarms = () => site.mail.messages.filter(({ subject }) => /^(Problem|Resolved)/.test(subject ?? ''));
const subjects = () => alarms().map(({ subject }) => subject);
const chatAlarms = () =>
  site.chat.posts.map(({ body }) => body.text).filter((text) => /^(Resolved: )?problem/i.test(text));

describe('The admins', () => {
  test('get one email within five minutes after a fault begins and one when it ends, and none for a restart', async () => {
    await minutes(2);
    await minutes(5, withoutFiles());
    expect(subjects()).toEqual([expect.stringMatching(/^Problem with file storage on the .* website$/)]);
    expect(alarms()[0]?.envelope.to).toEqual([owner.email]);
    expect(alarms()[0]?.text).toContain('File storage does not work');
    expect(alarms()[0]?.text).toContain('For details, sign in and open Settings > Site status.');
    await minutes(8, withoutFiles());
    expect(alarms()).toHaveLength(1);
    await minutes(5);
    expect(subjects()).toEqual([
      expect.stringMatching(/^Problem with file storage/),
      expect.stringMatching(/^Resolved: problem with file storage/),
    ]);
    await minutes(8, anotherProcess());
    expect(alarms()).toHaveLength(2);
  });

  test('get one email from several instances', async () => {
    await minutes(1);
    const instances = [withoutFiles(), withoutFiles(), withoutFiles()];
    for (let passed = 0; passed < 6; passed += 1) {
      site.advance(minute);
      await Promise.all(instances.map((services) => tick(services)));
    }
    expect(alarms()).toHaveLength(1);
  });

  test('are not notified of a fault that lasts less than three minutes, such as greylisting', async () => {
    await minutes(3, withoutFiles());
    await minutes(10);
    expect(alarms()).toEqual([]);
  });

  test('get one email for a part that fails and recovers repeatedly for twenty minutes', async () => {
    await minutes(1);
    const { outbox } = site.services.stores;
    const at = () => site.services.now().toISOString();
    for (let round = 0; round < 10; round += 1) {
      await outbox.sent('mail', [], at());
      await minutes(1);
      const failed = { error: '451', dueAt: null, channelFails: true, unreachable: false };
      await outbox.refused('mail', [], at(), failed);
      await minutes(1);
    }
    expect(chatAlarms()).toEqual([expect.stringMatching(/^Problem with email/)]);
  });

  test('get no email about a site that was stopped for an hour', async () => {
    await minutes(2);
    site.advance(hour);
    await minutes(10);
    expect(alarms()).toEqual([]);
  });
});

describe('A mail server that is down', () => {
  const inquiry = (changes = {}) => site.ask('/api/contact', { json: anInquiry(changes) });

  test('is reported to the chat once within five minutes, and to the admins by one email when it is back', async () => {
    await minutes(1);
    site.mail.fail('temporary');
    await inquiry();
    await minutes(5);
    expect(chatAlarms()).toEqual([expect.stringMatching(/^Problem with email/)]);
    expect(site.chat.posts.at(-1)?.body.text).toMatch(
      /The mail server does not accept emails from the site\.[\s\S]*The site noticed this on Monday, March 2, 2026 at 10:32:00 AM PST/,
    );
    await minutes(15, anotherProcess());
    expect(chatAlarms()).toHaveLength(1);
    site.mail.fail(null);
    site.advance(hour);
    await minutes(5);
    expect(subjects()).toEqual([expect.stringMatching(/^Resolved: problem with email/)]);
    expect(chatAlarms()).toEqual([
      expect.stringMatching(/^Problem with email/),
      expect.stringMatching(/^Resolved: problem with email/),
    ]);
  });

  test('is reported to the chat too if it answers, and refuses every email', async () => {
    await minutes(1);
    site.mail.fail('refuse-recipients');
    await inquiry();
    await minutes(15);
    expect(alarms()).toEqual([]);
    expect(chatAlarms()).toEqual([expect.stringMatching(/^Problem with email/)]);
  });

  test('sends the waiting emails within a minute after it is back', async () => {
    const { port } = new URL(site.mail.url);
    await site.mail.close();
    for (const company of ['First', 'Second', 'Third']) await inquiry({ company });
    await minutes(40);
    const tried = await site.admin('/api/settings/test-mail', { method: 'POST' });
    expect((await tried.json()).receipts[0].answer).toContain('ECONNREFUSED');
    const back = await startMailServer({ port: Number(port) });
    await minutes(1);
    // One email to the firm for each inquiry, and one acknowledgment, because all inquiries are from the same person.
    expect(back.messages.filter(({ subject }) => /inquiry/.test(subject ?? ''))).toHaveLength(4);
    await back.close();
  });
});

test('An acknowledgment to an address that does not exist is not a fault of the site', async () => {
  site.mail.fail('refuse-recipients', 1);
  // Removes the emails to the firm, so that the mail server refuses only the acknowledgment.
  await site.services.database.write({
    sql: `CREATE TRIGGER without_the_firm AFTER INSERT ON outbox WHEN new.audience = 'firm' BEGIN
      DELETE FROM outbox WHERE audience = 'firm'; END`,
    args: [],
  });
  await site.ask('/api/contact', { json: anInquiry() });
  await minutes(10);
  expect(alarms()).toEqual([]);
  expect(chatAlarms()).toEqual([]);
});

describe('A database that fails', () => {
  /** Returns a database whose connection is closed, so every statement fails. */
  const closedDatabase = async (): Promise<Database> => {
    const away = await testServices();
    await away.close();
    return away.services.database;
  };

  test('is reported to the admins by one email without the outbox, and once when it works again', async () => {
    await minutes(1);
    await minutes(5, anotherProcess({ database: await closedDatabase() }));
    expect(subjects()).toEqual([expect.stringMatching(/^Problem with the database/)]);
    expect(alarms()[0]?.envelope.to).toEqual([owner.email]);
    expect(alarms()[0]?.text).toContain(
      [
        'The database cannot be reached. Check the disk, or the URL and token of the database server.',
        'The site noticed this on Monday, March 2, 2026 at 10:32:00 AM PST.',
        'If someone else manages the server, send this message to that person.',
        'The site will send another message when the problem is over.',
      ].join('\n\n'),
    );
    await minutes(10, anotherProcess({ database: await closedDatabase() }));
    expect(alarms()).toHaveLength(1);
    await minutes(5, anotherProcess());
    expect(subjects()).toEqual([
      expect.stringMatching(/^Problem with the database/),
      expect.stringMatching(/^Resolved: problem with the database/),
    ]);
  });

  test('is reported to the chat if the mail server is down too', async () => {
    await minutes(1);
    site.mail.fail('temporary');
    await minutes(5, anotherProcess({ database: await closedDatabase() }));
    expect(chatAlarms()).toEqual([expect.stringMatching(/^Problem with the database/)]);
  });
});
