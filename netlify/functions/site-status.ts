import { randomUUID } from 'node:crypto';
import type { Config } from '@netlify/functions';
import { siteStatus, type TestReceipts, testReceipts } from '../../src/domain/site-status.ts';
import { site } from '../../src/site.config.ts';
import { noteSuccess } from '../server/deliver.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { testMail } from '../server/mail/messages.ts';
import { undeliverable } from '../server/notices.ts';
import { siteStatusOf } from '../server/site-status.ts';
import { testNotice } from '../server/webhook/notice.ts';
import { noWebhook } from '../server/webhook/webhook.ts';

export default endpoint(
  on('GET', '/api/settings/status', {
    access: 'admin',
    summary: 'The state of the database, the blob store, the mail, the webhook and the scheduled work',
    output: siteStatus,
    run: async ({ services }) => await siteStatusOf(services),
  }),
  on('POST', '/api/settings/test-mail', {
    access: 'admin',
    summary: 'Sends an email to the signed-in admin, CONTACT_EMAIL and HR_EMAIL, and answers what the mail server said',
    output: testReceipts,
    run: async ({ session, services, record }): Promise<TestReceipts> => {
      const { mailer, env } = services;
      if (!mailer.configured) {
        throw new Refusal('conflict', 'No mail server is set up: SMTP_URL is missing in the environment.');
      }
      const siteUrl = env.SITE_URL ?? site.url;
      const addresses = [session.email, mailer.firmAddress, mailer.hrAddress].filter((to) => !undeliverable.test(to));
      record('sent a test email');
      const receipts = await Promise.all(
        [...new Set(addresses)].map(async (to) => {
          const messageId = `${randomUUID()}@${new URL(siteUrl).hostname}`;
          const signal = AbortSignal.timeout(testMs);
          return await receiptOf(
            to,
            mailer.send(testMail(siteUrl), { to, replyTo: mailer.firmAddress, messageId, signal }),
          );
        }),
      );
      if (receipts.some(({ sent }) => sent)) await noteSuccess('mail', services);
      return { receipts };
    },
  }),
  on('POST', '/api/settings/test-webhook', {
    access: 'admin',
    summary: 'Posts a message to the firm’s chat and answers what its webhook said',
    output: testReceipts,
    run: async ({ services, record }): Promise<TestReceipts> => {
      const { webhook, env, now } = services;
      if (!webhook.configured) throw noWebhook();
      const to = 'the chat';
      record(`sent a test message to ${to}`);
      const notice = testNotice(env.SITE_URL ?? site.url, now().toISOString());
      const receipt = await receiptOf(to, webhook.post(notice, randomUUID()));
      if (receipt.sent) await noteSuccess('webhook', services);
      return { receipts: [receipt] };
    },
  }),
  on('POST', '/api/settings/accept-missing-files', {
    access: 'admin',
    summary: 'Accepts file storage that lost what it held, so the site no longer reports the loss',
    output: siteStatus,
    run: async ({ services, record }) => {
      await services.stores.sentinel.reset();
      record('accepted that uploaded files are missing');
      return await siteStatusOf(services);
    },
  }),
);

/** A host must answer the admin within 30 seconds. */
const testMs = 15_000;

async function receiptOf(to: string, sending: Promise<string>): Promise<TestReceipts['receipts'][number]> {
  try {
    return { to, sent: true, answer: await sending };
  } catch (error) {
    return { to, sent: false, answer: error instanceof Error ? error.message : String(error) };
  }
}

export const config: Config = {
  path: [
    '/api/settings/status',
    '/api/settings/test-mail',
    '/api/settings/test-webhook',
    '/api/settings/accept-missing-files',
  ],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
