import { randomUUID } from 'node:crypto';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import {
  healthReport,
  type OutboxStatus,
  queuedMail,
  siteStatus,
  type TestReceipts,
  testReceipts,
} from '../../../src/domain/site-status.ts';
import { site } from '../../../src/site.config.ts';
import { on } from '../http/endpoint.ts';
import { json } from '../http/respond.ts';
import { deliver } from '../mail/deliver.ts';
import { undeliverable } from '../mail/notices.ts';
import type { Channel } from '../mail/outbox.ts';
import { testEmail } from '../mail/texts.ts';
import { noWebhook } from '../mail/webhook.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { checkHealth, fileWords, reportOf } from './checks.ts';

/** The time limit of a test message. The admin area gives up on a request after 30 seconds (`requestTimeoutMs`). */
const testMs = 15_000;

export const healthRoute = on('GET', apiPaths.health, {
  access: 'public',
  summary: 'Reports whether each part of the site works; 503 if the site does not',
  output: healthReport,
  run: async ({ services }) => {
    const report = reportOf(await checkHealth(services));
    return json(report, { status: report.status === 'failing' ? 503 : 200 });
  },
});

export const statusRoutes = [
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
    errors: { conflict: 'No mail server is set up.' },
    run: async ({ session, services, record }) => {
      const { mailer, env } = services;
      if (!mailer.configured) throw noMailServer();
      const siteUrl = env.SITE_URL ?? site.url;
      const addresses = [session.email, mailer.firmAddress, mailer.hrAddress].filter((to) => !undeliverable.test(to));
      record('sent a test email');
      const send = (to: string) =>
        mailer.send(testEmail(siteUrl), {
          to,
          replyTo: mailer.firmAddress,
          messageId: `${randomUUID()}@${new URL(siteUrl).hostname}`,
          signal: AbortSignal.timeout(testMs),
        });
      return await receiptsOf('mail', new Map(addresses.map((to) => [to, send])), services);
    },
  }),
  on('POST', apiPaths.testWebhook, {
    access: 'admin',
    summary: "Posts a message to the firm's chat, and returns the response of the webhook",
    output: testReceipts,
    errors: { conflict: 'No team chat is connected.' },
    run: async ({ services, record }) => {
      const { webhook, env } = services;
      if (!webhook.configured) throw noWebhook();
      const to = 'the team chat';
      record(`sent a test message to ${to}`);
      const text = `Test message from ${site.name}\n${env.SITE_URL ?? site.url}/admin?tab=settings`;
      return await receiptsOf('webhook', new Map([[to, () => webhook.post(text, randomUUID())]]), services);
    },
  }),
  on('POST', apiPaths.resendMail, {
    access: 'admin',
    summary:
      'Sends the emails again that failed, up to 10,000, and returns their number without waiting for the result',
    output: queuedMail,
    errors: { conflict: 'No mail server is set up.' },
    run: async ({ services, waitUntil, record }) => {
      const { mailer, stores, now } = services;
      if (!mailer.configured) throw noMailServer();
      const queued = await stores.outbox.queueFailedMail(now().toISOString());
      if (queued > 0) record(`sent ${queued} failed ${queued === 1 ? 'email' : 'emails'} again`);
      waitUntil(deliver('mail', services));
      return { queued };
    },
  }),
];

const noMailServer = (): Refusal =>
  new Refusal(
    'conflict',
    'No mail server is set up. Ask the person who manages the server to set SMTP_URL and restart the site.',
  );

/**
 * Sends test messages. An accepted one ends an outage, and the next run sends what waits. If none is accepted, the
 * channel fails.
 */
async function receiptsOf(
  channel: Channel,
  sends: ReadonlyMap<string, (to: string) => Promise<string>>,
  { stores, now }: Services,
): Promise<TestReceipts> {
  const receipts = await Promise.all(
    [...sends].map(async ([to, send]) =>
      send(to).then(
        (answer) => ({ to, sent: true, answer }),
        (error: unknown) => ({ to, sent: false, answer: error instanceof Error ? error.message : String(error) }),
      ),
    ),
  );
  const at = now().toISOString();
  if (receipts.some(({ sent }) => sent)) {
    await stores.outbox.sent(channel, [], at);
  } else {
    const failed = { error: receipts[0]!.answer, dueAt: null, channelFails: true, unreachable: false };
    await stores.outbox.refused(channel, [], at, failed);
  }
  return { receipts };
}
