import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { acknowledgementsADay, singlesAnHour } from '../../../netlify/server/mail/add-messages.ts';
import { testEmail } from '../../../netlify/server/mail/texts.ts';
import { mailer } from '../../../netlify/server/mail/mailer.ts';
import type { ApplicationPage } from '../../../src/domain/submissions/application.ts';
import type { InquiryReceipt, InquiryRecord } from '../../../src/domain/submissions/inquiry.ts';
import { referenceOf } from '../../../src/domain/submissions/submission.ts';
import { useApi } from '../../support/api/api.ts';
import { takeLog, takeRefusals } from '../../support/console.ts';
import { anInquiry } from '../../support/samples/inquiries.ts';
import { anApplication } from '../../support/samples/resumes.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { testServices } from '../../support/api/services.ts';

const minute = 60_000;
const firm = 'sales@firm.example';
const hr = 'hr@firm.example';
const site = useApi({
  mail: true,
  variables: {
    MAIL_FROM: 'The Firm <no-reply@firm.example>',
    CONTACT_EMAIL: firm,
    HR_EMAIL: hr,
    SITE_URL: 'http://www.firm.example',
  },
});

const { inquire: send, tick } = site;
const deliveryOf = async (id: string) => (await site.read<InquiryRecord>(`/api/contact/submissions/${id}`)).delivery;
const sendAgain = (id: string, mail: 'firm' | 'sender') =>
  site.read(`/api/contact/submissions/${id}/resend`, { json: { mail } });

describe('An inquiry is emailed', () => {
  test('to the firm, with all its fields and the visitor’s address for replies', async () => {
    const { id, reference } = await send({ company: 'Bäcker & Söhne', message: '<b>Bold</b> claim,\nsecond line.' });
    const received = await site.mail.waitFor((message) => message.envelope.to.includes(firm));
    expect(received.subject).toBe(`New inquiry ${reference}: Bäcker & Söhne (Project Recovery)`);
    expect(received.from?.value).toEqual([{ name: 'The Firm', address: 'no-reply@firm.example' }]);
    expect(received.replyTo?.value).toEqual([{ name: 'Dana Whitfield', address: 'dana@whitfield-foods.example' }]);
    expect(received.text).toContain('<b>Bold</b> claim,\nsecond line.');
    expect(received.text).toContain(`http://www.firm.example/admin?submission=${id}`);
    expect(received.html).toContain('&lt;b&gt;Bold&lt;/b&gt; claim,<br>');
    expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'sent' }, sender: { status: 'sent' } });
  });

  test('to the sender, with the reference and without any text that was typed', async () => {
    const { reference } = await send({ fullName: 'Buy now at spam.example', message: 'A message for the victim' });
    const received = await site.mail.waitFor((message) => message.envelope.to.includes('dana@whitfield-foods.example'));
    expect(received.subject).toBe(`We received your inquiry (${reference})`);
    expect(received.replyTo?.text).toBe(firm);
    expect(received.headers.get('auto-submitted')).toBe('auto-generated');
    expect(received.text).not.toMatch(/spam\.example|victim|Whitfield/);
  });

  test('once, however often it is sent and however many instances read the outbox', async () => {
    site.mail.fail('slow');
    const headers = { 'idempotency-key': 'same' };
    await Promise.all(Array.from({ length: 5 }, () => site.ask('/api/contact', { json: anInquiry(), headers })));
    await Promise.all([tick(), tick(), tick()]);
    expect(site.mail.messages).toHaveLength(2);
  });

  test('with text that looks like an encoded header as this text', async () => {
    const text = '=?utf-8?q?Bob=0D=0ABcc:_x@evil.example?=';
    await send({ fullName: text, company: text });
    const { source, subject, replyTo } = await site.mail.waitFor((message) => message.envelope.to.includes(firm));
    expect(source.toString()).not.toContain('=?utf-8?q?Bob');
    for (const shown of [subject, replyTo?.value[0]?.name])
      expect(shown).toContain('?utf-8?q?Bob=0D=0ABcc:_x@evil.example?=');
  });

  test.for(['Dana\r\nBcc: victim@example.com', '"Dana" <evil@example.com>, victim@example.com'])(
    'with a name like %j without an additional recipient',
    async (fullName) => {
      await send({ fullName });
      expect(site.mail.messages.flatMap((message) => message.envelope.to).sort()).toEqual([
        'dana@whitfield-foods.example',
        firm,
      ]);
      for (const message of site.mail.messages) expect(message.headers.has('bcc')).toBe(false);
    },
  );
});

test('An application is emailed to HR with a link to the resume but never the resume, and acknowledged with the reference', async () => {
  const { message, reference } = await (await site.apply()).json();
  expect(message).toMatch(/^(We've sent your application to our HR team and|Your application has been saved\.)/);
  const about = (to: string) =>
    site.mail.waitFor(({ envelope, text = '' }) => envelope.to.includes(to) && text.includes(reference));
  const toHr = await about(hr);
  expect(toHr.subject).toBe(`New application ${reference}: Mara Quill (NetSuite Developer)`);
  expect(toHr.replyTo?.value).toEqual([{ name: 'Mara Quill', address: 'mara@quill.example' }]);
  const { data } = await site.read<ApplicationPage>('/api/contact/applications');
  expect(toHr.text).toContain(`http://www.firm.example/admin?application=${data[0]?.id}`);
  expect(toHr.text).toContain(anApplication().coverLetter);
  expect(toHr.attachments).toEqual([]);
  const toApplicant = await about('mara@quill.example');
  expect(toApplicant.replyTo?.text).toBe(hr);
  expect(toApplicant.text).not.toMatch(/Mara|SuiteScript/);
});

describe('An acknowledgment', () => {
  const toSender = () => site.mail.messages.filter(({ subject }) => subject?.startsWith('We received'));

  test('goes to a mailbox once an hour, in every spelling of its address; the firm gets every inquiry', async () => {
    const spellings = ['dana@gmail.com', 'DANA@Gmail.com', 'd.a.n.a@gmail.com', 'dana+1@googlemail.com'];
    const receipts: InquiryReceipt[] = [];
    for (const email of spellings) receipts.push(await send({ email, company: email }));
    await tick();
    expect(toSender()).toHaveLength(1);
    expect(site.mail.messages.filter(({ envelope }) => envelope.to.includes(firm))).toHaveLength(spellings.length);
    expect(await deliveryOf(receipts[3]?.id ?? '')).toMatchObject({
      firm: { status: 'sent' },
      sender: {
        status: 'skipped',
        error: 'Not sent, because each email address gets at most one acknowledgment an hour.',
      },
    });
    expect(takeRefusals().map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ event: 'acknowledgment skipped', submission: receipts[3]?.id }),
    );
    site.advance(61 * minute);
    await send({ email: 'dana@gmail.com', company: 'Later' });
    expect(toSender()).toHaveLength(2);
  });

  test('goes to a mailbox once, even if many inquiries arrive at the same moment', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => send({ company: `Company ${index}` })));
    await tick();
    expect(toSender()).toHaveLength(1);
    expect(site.mail.messages).toHaveLength(13);
  });

  test('is not sent to more strangers than the daily limit in a flood, but still to a sender from another network', async () => {
    const { database, now } = site.services;
    await database.write({
      sql: `INSERT INTO outbox (id, audience, recipient, created_at, status, due_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
            SELECT 'old-' || i, 'sender', i, ?1, 'sent', ?1 FROM n`,
      args: [now().toISOString(), acknowledgementsADay],
    });
    const receipts: InquiryReceipt[] = [];
    for (let index = 0; index < 5; index += 1) {
      receipts.push(await send({ email: `victim${index}@one.example`, company: `Flood ${index}` }));
    }
    expect(toSender()).toHaveLength(2);
    expect(await deliveryOf(receipts[4]?.id ?? '')).toMatchObject({
      sender: {
        status: 'skipped',
        error: expect.stringContaining('the limit of 500 acknowledgments in 24 hours was reached'),
      },
    });
    const honest = anInquiry({ email: 'dana@honest.example' });
    await site.ask('/api/contact', { json: honest, address: '198.51.100.7' });
    expect(toSender().map(({ envelope }) => envelope.to[0])).toContain('dana@honest.example');
    expect(site.mail.messages.filter(({ envelope }) => envelope.to.includes(firm))).toHaveLength(6);
  });
});

test('A flood of inquiries reaches the firm in single emails at first, and then in emails of at most 200 an hour, and none is lost', async () => {
  const { now, stores } = site.services;
  for (let index = 0; index < singlesAnHour; index += 1) await send({ company: `Flood ${index}` });
  const ids = Array.from({ length: 205 }, () => crypto.randomUUID());
  for (const id of ids) {
    const inquiry = { id, input: anInquiry(), quiet: true, suspicions: [], createdAt: now().toISOString() };
    await stores.submissions.create('inquiry', inquiry);
  }
  const toFirm = () => site.mail.messages.filter(({ envelope }) => envelope.to.includes(firm));
  for (let ticks = 0; ticks < 4; ticks += 1) await tick();
  expect(toFirm()).toHaveLength(singlesAnHour);
  expect(await deliveryOf(ids[0]!)).toMatchObject({ firm: { status: 'waiting' } });
  for (let hours = 0; hours < 2; hours += 1) {
    site.advance(60 * minute);
    await tick();
  }
  const digests = toFirm().slice(singlesAnHour);
  expect(digests.map(({ subject }) => /^\d+/.exec(subject ?? '')?.[0])).toEqual(['200', '5']);
  const listed = digests.map(({ text }) => text).join();
  expect(ids.filter((id) => !listed.includes(referenceOf(id)))).toEqual([]);
  expect(await deliveryOf(ids.at(-1)!)).toMatchObject({ firm: { status: 'sent' } });
});

describe('The mail server', () => {
  test('is greeted with the host name of the site', async () => {
    await send();
    expect(new Set(site.mail.messages.map(({ greeting }) => greeting))).toEqual(new Set(['www.firm.example']));
  });

  test('on this machine can have a self-signed certificate', async () => {
    const secure = await startMailServer({ secure: true });
    // The library of the test mail server logs a warning, because its built-in certificate is public.
    expect(takeLog()).toHaveLength(1);
    const own = mailer({ ...site.services.env, SMTP_URL: secure.url });
    const envelope = { id: '1', to: firm };
    expect(await own.send(testEmail('http://www.firm.example'), envelope)).toMatch(/^250/);
    expect(secure.messages).toMatchObject([{ isEncrypted: true }]);
    own.close();
    await secure.close();
  });
});

describe('A mail server that does not accept an email', () => {
  test.for(['temporary', 'drop'] as const)(
    '(%s) does not affect the visitor: the email is sent again after 1, 5, 15 and 60 minutes',
    async (fault) => {
      site.mail.fail(fault);
      const { id } = await send();
      expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'retrying', error: expect.any(String) } });
      let tries = site.mail.refused.length;
      expect(tries).toBe(2);
      for (const minutes of [1, 5, 15, 60, 60]) {
        site.advance(minutes * minute - 1_000);
        await tick();
        expect(site.mail.refused).toHaveLength(tries);
        site.advance(1_000);
        await tick();
        expect(site.mail.refused).toHaveLength(tries + 2);
        tries = site.mail.refused.length;
      }
      site.mail.fail(null);
      site.advance(60 * minute);
      await tick();
      expect(await deliveryOf(id)).toMatchObject({
        firm: { status: 'sent', error: null },
        sender: { status: 'sent', error: null },
      });
      expect(site.mail.messages).toHaveLength(2);
      const log = takeLog().join('\n');
      expect(log).toMatch(/email not sent/);
      expect(log).not.toMatch(/whitfield|Dana|slipped/i);
    },
  );

  test('and refuses it for an hour with a permanent error gets it once more, and the firm and the visitor receive it', async () => {
    site.mail.fail('refuse-recipients');
    const { id } = await send();
    expect(takeLog()).toHaveLength(2);
    const refused = { status: 'retrying', error: expect.stringContaining('550 5.1.1 No such mailbox') };
    expect(await deliveryOf(id)).toMatchObject({ firm: refused, sender: refused });
    site.mail.fail(null);
    site.advance(59 * minute);
    await tick();
    expect(site.mail.messages).toEqual([]);
    site.advance(minute);
    await tick();
    expect(await deliveryOf(id)).toMatchObject({
      firm: { status: 'sent', error: null },
      sender: { status: 'sent', error: null },
    });
  });

  test('and always refuses it with a permanent error gets an acknowledgment twice, and an email to the firm hourly for a day', async () => {
    site.mail.fail('refuse-recipients');
    const { id } = await send();
    for (let hour = 0; hour <= 26; hour += 1) {
      site.advance(60 * minute);
      await tick();
    }
    expect(site.mail.refused.filter((to) => to !== firm)).toHaveLength(2);
    expect(site.mail.refused.filter((to) => to === firm)).toHaveLength(25);
    const failed = { status: 'failed', error: expect.stringContaining('550 5.1.1 No such mailbox') };
    expect(await deliveryOf(id)).toMatchObject({ firm: failed, sender: failed });
    takeLog();
  });

  test('before the clock was set back by 400 days gets it once the server accepts it', async () => {
    site.mail.fail('temporary');
    await send();
    takeLog();
    site.mail.fail(null);
    site.advance(-400 * 24 * 60 * minute);
    await tick();
    expect(site.mail.messages).toHaveLength(2);
  });

  test('and never finishes is disconnected', async () => {
    const endless = createServer((socket) => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    });
    await once(endless.listen(0, '127.0.0.1'), 'listening');
    const { port } = endless.address() as AddressInfo;
    const env = { ...site.services.env, SMTP_URL: `smtp://127.0.0.1:${port}` };
    const impatient = mailer(env, { patienceMs: 200 });
    const envelope = { id: '1', to: firm };
    await expect(impatient.send(testEmail('http://www.firm.example'), envelope)).rejects.toThrow(
      /no response within 0\.\d s/,
    );
    impatient.close();
    endless.close();
  });

  test('does not get the same email from an instance that crashed until its lease ends', async () => {
    const { stores, now } = site.services;
    const quiet = await testServices();
    const { id } = await send({}, { ...site.services, mailer: quiet.services.mailer });
    const until = new Date(now().getTime() + 10 * minute).toISOString();
    const held = await stores.outbox.take('mail', now().toISOString(), until, 10);
    expect(held).toHaveLength(2);
    site.advance(9 * minute);
    await tick();
    expect(site.mail.messages).toHaveLength(0);
    site.advance(2 * minute);
    await tick();
    expect(site.mail.messages).toHaveLength(2);
    expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'sent' } });
    await quiet.close();
  });
});

test('“Send again” creates a new email, which a mail server does not treat as a duplicate', async () => {
  await send();
  const { id } = await send({ company: 'Second' });
  const idsTo = (to: string) =>
    site.mail.messages.filter(({ envelope }) => envelope.to.includes(to)).map(({ messageId }) => messageId);
  expect([idsTo(firm).length, idsTo(anInquiry().email).length]).toEqual([2, 1]);
  for (const mail of ['firm', 'sender'] as const) await sendAgain(id, mail);
  expect([new Set(idsTo(firm)).size, new Set(idsTo(anInquiry().email)).size]).toEqual([3, 2]);
});

test('Without a mail server, emails wait, and are sent as soon as there is one', async () => {
  const { mailer } = site.services;
  await site.restart({ SMTP_URL: '' });
  const { id } = await send();
  expect((await deliveryOf(id)).firm.status).toBe('waiting');
  await tick({ ...site.services, mailer });
  expect((await deliveryOf(id)).firm.status).toBe('sent');
  mailer.close();
});
