import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import {
  healthAnswer,
  type OutboxStatus,
  queuedMail,
  siteStatus,
  type TestReceipts,
  testReceipts,
} from '../../../src/domain/site/site-status.ts';
import { site } from '../../../src/site.config.ts';
import { currentSession } from '../auth/sessions.ts';
import { on } from '../http/endpoint.ts';
import { json } from '../http/respond.ts';
import { deliver } from '../mail/deliver.ts';
import { noMailServer, refusalOf } from '../mail/mailer.ts';
import { undeliverable } from '../mail/notices.ts';
import type { Channel } from '../mail/add-messages.ts';
import { testEmail } from '../mail/texts.ts';
import { noWebhook } from '../mail/webhook.ts';
import { lentPlatform } from '../platform.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { checkHealth, fileWords, reportOf } from './checks.ts';

/** The time limit of a test message. The admin area gives up on a request after 30 seconds (`requestTimeoutMs`). */
const testMs = 15_000;

export const healthRoute = on('GET', apiPaths.health, {
  access: 'public',
  summary: 'Reports whether each part of the site works',
  query: z.object({ strict: z.optional(z.string()) }),
  output: healthAnswer,
  failing: 'The site does not work. With `strict`, a part of the site does not work.',
  run: async ({ query: { strict }, request, address, services }) => {
    const report = reportOf(await checkHealth(services));
    const works = strict === undefined ? report.status !== 'failing' : report.status === 'ok';
    const answer = (await isForOwner(request, address, services)) ? report : { status: report.status };
    return json(answer, { status: works ? 200 : 503 });
  },
});

/**
 * Returns whether a request comes from an admin, or from this machine without a proxy, such as the check of
 * docs/deploy/site-check.service. `currentSession` checks the signature of the token before it reads the database, so the
 * token is enough while the database does not work. It refuses to check a signature without SESSION_SECRET.
 */
async function isForOwner(request: Request, address: string, services: Services): Promise<boolean> {
  if (/^(127\.|::1$|::ffff:127\.)/.test(address)) return true;
  return await currentSession(request, services).then(
    (session) => session !== null,
    (error: unknown) => !(error instanceof Refusal),
  );
}

export const statusRoutes = [
  on('GET', apiPaths.siteStatus, {
    summary: 'The state of each part of the site, and of its last backup',
    output: siteStatus,
    run: async ({ services }) => {
      const { stores, mailer, webhook, now } = services;
      const outbox = async (channel: Channel, configured: boolean): Promise<OutboxStatus> => {
        const { resendable, error } = await stores.outbox.state(channel, now());
        return { configured, resendable, error };
      };
      const [words, blobs, mail, chat] = await Promise.all([
        checkHealth(services),
        fileWords(services),
        outbox('mail', mailer.configured),
        outbox('webhook', webhook.configured),
      ]);
      const { newestAt: backedUpAt, rehearsal } = lentPlatform()?.backups?.state() ?? {};
      const health = reportOf({ ...words, blobs });
      return { health, mail, webhook: chat, backedUpAt, rehearsal };
    },
  }),
  on('POST', apiPaths.testMail, {
    summary:
      'Sends an email to the signed-in admin, CONTACT_EMAIL and HR_EMAIL, and returns the responses of the mail server',
    output: testReceipts,
    errors: { conflict: 'No mail server is set up.' },
    run: async ({ session, services, record }) => {
      const { mailer, siteUrl } = services;
      if (!mailer.configured) throw noMailServer();
      const addresses = [session.email, mailer.firmAddress, mailer.hrAddress].filter((to) => !undeliverable.test(to));
      record('sent a test email');
      const signal = AbortSignal.timeout(testMs);
      const send = (to: string) => mailer.send(testEmail(siteUrl), { id: randomUUID(), to, signal });
      return await receiptsOf('mail', [...new Set(addresses)], send, services);
    },
  }),
  on('POST', apiPaths.testWebhook, {
    summary: 'Posts a message to the team chat, and returns the response of the webhook',
    output: testReceipts,
    errors: { conflict: 'No team chat is connected.' },
    run: async ({ services, record }) => {
      const { webhook, siteUrl } = services;
      if (!webhook.configured) throw noWebhook();
      const to = 'the team chat';
      record(`sent a test message to ${to}`);
      const text = `Test message from ${site.name}\n${siteUrl}/admin?tab=settings`;
      return await receiptsOf('webhook', [to], () => webhook.post(text, randomUUID()), services);
    },
  }),
  on('POST', apiPaths.resendMail, {
    summary: 'Sends up to 10,000 failed emails again, and returns their number without waiting for the result',
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

/**
 * Sends test messages. An accepted one ends an outage, and the next run sends what waits. If none is accepted, the
 * channel fails.
 */
async function receiptsOf(
  channel: Channel,
  recipients: readonly string[],
  send: (to: string) => Promise<string>,
  { stores, now }: Services,
): Promise<TestReceipts> {
  const results = await Promise.allSettled(recipients.map(send));
  const receipts = results.map((result, index) => {
    const sent = result.status === 'fulfilled';
    return { to: recipients[index] ?? '', sent, answer: sent ? result.value : reasonOf(result.reason) };
  });
  const at = now().toISOString();
  const [first] = results;
  if (receipts.some(({ sent }) => sent)) await stores.outbox.sent(channel, [], at);
  else if (first?.status === 'rejected') {
    const { unreachable } = refusalOf(first.reason);
    const failed = { error: reasonOf(first.reason), dueAt: null, channelFails: true, unreachable };
    await stores.outbox.refused(channel, [], at, failed);
  }
  return { receipts };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
