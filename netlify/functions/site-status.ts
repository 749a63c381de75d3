import { apiPaths } from '../../src/domain/api-paths.ts';
import { randomUUID } from 'node:crypto';
import {
  type OutboxStatus,
  queuedMail,
  siteStatus,
  type TestReceipts,
  testReceipts,
} from '../../src/domain/site-status.ts';
import { site } from '../../src/site.config.ts';
import { deliver, queueFailedMail } from '../server/mail/deliver.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/refusal.ts';
import { testEmail } from '../server/mail/texts.ts';
import { undeliverable } from '../server/mail/notices.ts';
import { checkHealth, fileWords, reportOf } from '../server/status/checks.ts';
import type { Channel } from '../server/mail/outbox.ts';
import type { Services } from '../server/services.ts';
import { noWebhook } from '../server/mail/webhook.ts';

export default endpoint(
  { requestsAMinute: 120 },
  on('GET', apiPaths.siteStatus, {
    access: 'admin',
    summary: 'The state of the database, the blob store, email, the webhook and the background tasks',
    output: siteStatus,
    run: async ({ services }) => {
      const { stores, mailer, webhook, now } = services;
      const outbox = async (channel: Channel, configured: boolean): Promise<OutboxStatus> => {
        const { waiting, resendable, error, failingSince, succeededAt } = await stores.outbox.state(channel, now());
        return { configured, waiting, resendable, error, failingSince, succeededAt };
      };
      const [words, blobs, last, mail, chat] = await Promise.all([
        checkHealth(services),
        fileWords(services),
        stores.runs.last(),
        outbox('mail', mailer.configured),
        outbox('webhook', webhook.configured),
      ]);
      return { health: reportOf({ ...words, blobs }), mail, webhook: chat, ranAt: last?.ranAt ?? null };
    },
  }),
  on('POST', apiPaths.testMail, {
    access: 'admin',
    summary:
      'Sends an email to the signed-in admin, CONTACT_EMAIL and HR_EMAIL, and returns the responses of the mail server',
    output: testReceipts,
    run: async ({ session, services, record }): Promise<TestReceipts> => {
      const { mailer, env } = services;
      if (!mailer.configured) throw noMailServer();
      const siteUrl = env.SITE_URL ?? site.url;
      const addresses = [session.email, mailer.firmAddress, mailer.hrAddress].filter((to) => !undeliverable.test(to));
      record('sent a test email');
      const receipts = await Promise.all(
        [...new Set(addresses)].map(async (to) => {
          const messageId = `${randomUUID()}@${new URL(siteUrl).hostname}`;
          const signal = AbortSignal.timeout(testMs);
          return await receiptOf(
            to,
            mailer.send(testEmail(siteUrl), { to, replyTo: mailer.firmAddress, messageId, signal }),
          );
        }),
      );
      await noteReceipts('mail', receipts, services);
      return { receipts };
    },
  }),
  on('POST', apiPaths.testWebhook, {
    access: 'admin',
    summary: "Posts a message to the firm's chat, and returns the response of the webhook",
    output: testReceipts,
    run: async ({ services, record }): Promise<TestReceipts> => {
      const { webhook, env } = services;
      if (!webhook.configured) throw noWebhook();
      const to = 'the team chat';
      record(`sent a test message to ${to}`);
      const text = `Test message from ${site.name}\n${env.SITE_URL ?? site.url}/admin?tab=settings`;
      const receipts = [await receiptOf(to, webhook.post(text, randomUUID()))];
      await noteReceipts('webhook', receipts, services);
      return { receipts };
    },
  }),
  on('POST', apiPaths.resendMail, {
    access: 'admin',
    summary:
      'Sends the emails again that failed, up to 10,000, and returns their number without waiting for the result',
    output: queuedMail,
    run: async ({ services, waitUntil, record }) => {
      if (!services.mailer.configured) throw noMailServer();
      const queued = await queueFailedMail(services);
      if (queued > 0) record(`sent ${queued} failed ${queued === 1 ? 'email' : 'emails'} again`);
      waitUntil(deliver('mail', services));
      return { queued };
    },
  }),
);

const noMailServer = (): Refusal =>
  new Refusal(
    'conflict',
    'No mail server is set up. Ask the person who manages the server to set SMTP_URL and restart the site.',
  );

/** The time limit of a test message. The admin area gives up on a request after 30 seconds (`requestTimeoutMs`). */
const testMs = 15_000;

async function receiptOf(to: string, sending: Promise<string>): Promise<TestReceipts['receipts'][number]> {
  try {
    return { to, sent: true, answer: await sending };
  } catch (error) {
    return { to, sent: false, answer: error instanceof Error ? error.message : String(error) };
  }
}

/** An accepted test message ends an outage, and the next run sends what waits. If none is accepted, the channel fails. */
async function noteReceipts(
  channel: Channel,
  receipts: TestReceipts['receipts'],
  { stores, now }: Services,
): Promise<void> {
  const at = now().toISOString();
  if (receipts.some(({ sent }) => sent)) await stores.outbox.channelWorks(channel, at);
  else await stores.outbox.channelFails(channel, receipts[0]!.answer, at);
}
