import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import contact from '../../netlify/functions/contact.ts';
import everyMinute from '../../netlify/functions/every-minute.ts';
import { mailer } from '../../netlify/server/mail/mailer.ts';
import type { InquiryReceipt } from '../../src/domain/inquiry.ts';
import { takeLog } from '../support/console.ts';
import { anInquiry } from '../support/inquiries.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type TestServices, call, testServices } from '../support/services.ts';

const minute = 60_000;
const firm = 'sales@firm.example';
let mail: MailServer;
let site: TestServices;
beforeEach(async () => {
  mail = await startMailServer({ slowMs: 300 });
  site = await testServices({
    SMTP_URL: mail.url,
    MAIL_FROM: 'The Firm <no-reply@firm.example>',
    CONTACT_EMAIL: firm,
    SITE_URL: 'http://www.firm.example',
  });
});
afterEach(async () => {
  await site.close();
  await mail.close();
});

const send = async (changes: Record<string, unknown> = {}): Promise<InquiryReceipt> => {
  const response = await call(contact, '/api/contact', site.services, { json: anInquiry(changes) });
  expect(response.status).toBe(201);
  return (await response.json()) as InquiryReceipt;
};
const tick = () => everyMinute(new Request('http://site.test'), {} as never, site.services);
const deliveryOf = async (id: string) => (await site.services.stores.inquiries.get(id))?.delivery;

describe('An inquiry is mailed', () => {
  test('to the firm, with everything in it and the visitor to reply to', async () => {
    const { id, reference } = await send({ company: 'Bäcker & Söhne', message: '<b>Bold</b> claim,\nsecond line.' });
    const received = await mail.waitFor((message) => message.envelope.to.includes(firm));
    expect(received.subject).toBe(`New inquiry ${reference}: Bäcker & Söhne (Project Recovery)`);
    expect(received.from?.value).toEqual([{ name: 'The Firm', address: 'no-reply@firm.example' }]);
    expect(received.replyTo?.value).toEqual([{ name: 'Dana Whitfield', address: 'dana@whitfield-foods.example' }]);
    expect(received.text).toContain('<b>Bold</b> claim,\nsecond line.');
    expect(received.text).toContain(`http://www.firm.example/admin?submission=${id}`);
    expect(received.html).toBe(false);
    expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'sent' }, sender: { status: 'sent' } });
  });

  test('to the sender, with the reference and no word that a stranger could have typed', async () => {
    const { reference } = await send({ fullName: 'Buy now at spam.example', message: 'A message for the victim' });
    const received = await mail.waitFor((message) => message.envelope.to.includes('dana@whitfield-foods.example'));
    expect(received.subject).toBe(`We received your inquiry (${reference})`);
    expect(received.replyTo?.text).toBe(firm);
    expect(received.headers.get('auto-submitted')).toBe('auto-generated');
    expect(received.text).not.toMatch(/spam\.example|victim|Whitfield/);
  });

  test('once, however often it is sent and however many instances look into the outbox', async () => {
    mail.fail('slow');
    const headers = { 'idempotency-key': 'same' };
    await Promise.all(
      Array.from({ length: 5 }, () => call(contact, '/api/contact', site.services, { json: anInquiry(), headers })),
    );
    await Promise.all([tick(), tick(), tick()]);
    expect(mail.messages).toHaveLength(2);
  });

  test.for(['Dana\r\nBcc: victim@example.com', '"Dana" <evil@example.com>, victim@example.com'])(
    'with a name like %j without gaining a recipient',
    async (fullName) => {
      await send({ fullName });
      expect(mail.messages.flatMap((message) => message.envelope.to).sort()).toEqual([
        'dana@whitfield-foods.example',
        firm,
      ]);
      for (const message of mail.messages) expect(message.headers.has('bcc')).toBe(false);
    },
  );
});

describe('A mail server that does not take a mail', () => {
  test.for(['refuse-recipients', 'temporary', 'drop'] as const)(
    '(%s) costs the visitor nothing: the mail is tried again after 1, 5, 15 and 60 minutes',
    async (fault) => {
      mail.fail(fault);
      const { id } = await send();
      expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'retrying', error: expect.any(String) } });
      let tries = mail.refused;
      expect(tries).toBe(2);
      for (const minutes of [1, 5, 15, 60, 60]) {
        site.advance(minutes * minute - 1_000);
        await tick();
        expect(mail.refused).toBe(tries);
        site.advance(1_000);
        await tick();
        expect(mail.refused).toBe(tries + 2);
        tries = mail.refused;
      }
      mail.fail(null);
      site.advance(60 * minute);
      await tick();
      expect(await deliveryOf(id)).toMatchObject({
        firm: { status: 'sent', error: null },
        sender: { status: 'sent', error: null },
      });
      expect(mail.messages).toHaveLength(2);
      const log = takeLog().join('\n');
      expect(log).toMatch(/mail not sent/);
      expect(log).not.toMatch(/whitfield|Dana|slipped/i);
    },
  );

  test('for a day is given up, and the admin is told why', async () => {
    mail.fail('refuse-recipients');
    const { id } = await send();
    for (let hour = 0; hour <= 26; hour += 1) {
      site.advance(60 * minute);
      await tick();
    }
    expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'failed', error: expect.stringMatching(/550/) } });
    const tries = mail.refused;
    site.advance(48 * 60 * minute);
    await tick();
    expect(mail.refused).toBe(tries);
    takeLog();
  });

  test('is not asked for all that waits in one go, which would keep the other work of every minute waiting', async () => {
    const { stores, now } = site.services;
    for (let index = 0; index < 12; index += 1) {
      const createdAt = now().toISOString();
      const id = crypto.randomUUID();
      await stores.inquiries.create({ id, input: anInquiry(), status: 'inbox', suspicions: [], createdAt });
    }
    mail.fail('temporary');
    const slowly = (): Date => {
      site.advance(5_000);
      return now();
    };
    await everyMinute(new Request('http://site.test'), {} as never, { ...site.services, now: slowly });
    expect(mail.refused).toBe(10);
    mail.fail(null);
    site.advance(minute);
    await tick();
    expect(mail.messages).toHaveLength(24);
    takeLog();
  });

  test('and never comes to an end is left', async () => {
    const endless = createServer((socket) => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    });
    await once(endless.listen(0, '127.0.0.1'), 'listening');
    const { port } = endless.address() as AddressInfo;
    const env = { ...site.services.env, SMTP_URL: `smtp://127.0.0.1:${port}` };
    const impatient = mailer(env, { patienceMs: 200 });
    const envelope = { to: firm, replyTo: firm, messageId: '1@firm.example' };
    await expect(impatient.send({ subject: 'Subject', text: 'Text' }, envelope)).rejects.toThrow(
      'no answer within 0.2 s',
    );
    impatient.close();
    endless.close();
  });

  test('because it is not there is the same', async () => {
    await mail.close();
    const { id } = await send();
    expect(await deliveryOf(id)).toMatchObject({
      firm: { status: 'retrying', error: expect.stringMatching(/ECONNREFUSED/) },
    });
    takeLog();
  });

  test('does not get the same mail from an instance that died in the middle until its lease is over', async () => {
    const { stores, now } = site.services;
    const quiet = await testServices();
    const { id } = await (async () => {
      const services = { ...site.services, mailer: quiet.services.mailer };
      return (await (await call(contact, '/api/contact', services, { json: anInquiry() })).json()) as InquiryReceipt;
    })();
    const held = await stores.outbox.take(
      'mail',
      now().toISOString(),
      new Date(now().getTime() + 10 * minute).toISOString(),
      10,
    );
    expect(held).toHaveLength(2);
    site.advance(9 * minute);
    await tick();
    expect(mail.messages).toHaveLength(0);
    site.advance(2 * minute);
    await tick();
    expect(mail.messages).toHaveLength(2);
    expect(await deliveryOf(id)).toMatchObject({ firm: { status: 'sent' } });
    await quiet.close();
  });
});

test('Send again makes a new mail, which a mail server does not take for a double', async () => {
  const { id } = await send();
  expect(
    await site.services.stores.outbox.again(
      { kind: 'inquiry', id, audience: 'firm' },
      site.services.now().toISOString(),
    ),
  ).toBe(true);
  await tick();
  const toFirm = mail.messages.filter((message) => message.envelope.to.includes(firm));
  expect(toFirm).toHaveLength(2);
  expect(new Set(toFirm.map((message) => message.messageId)).size).toBe(2);
});

test('Without a mail server nothing is sent, and nothing is lost: it goes out once there is one', async () => {
  const silent = await testServices();
  const response = await call(contact, '/api/contact', silent.services, { json: anInquiry() });
  const { id } = (await response.json()) as InquiryReceipt;
  expect((await silent.services.stores.inquiries.get(id))?.delivery.firm.status).toBe('waiting');
  const configured = { ...silent.services, mailer: site.services.mailer };
  await everyMinute(new Request('http://site.test'), {} as never, configured);
  expect((await silent.services.stores.inquiries.get(id))?.delivery.firm.status).toBe('sent');
  await silent.close();
});
