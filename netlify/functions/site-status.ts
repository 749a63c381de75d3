import { randomUUID } from 'node:crypto';
import type { Config } from '@netlify/functions';
import { siteStatus, type TestReceipt, testReceipt } from '../../src/domain/site-status.ts';
import { site } from '../../src/site.config.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { testMail } from '../server/mail/messages.ts';
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
    summary: 'Sends a mail to the signed-in admin and answers what the mail server said',
    output: testReceipt,
    run: async ({ session, services: { mailer, env }, record }): Promise<TestReceipt> => {
      if (!mailer.configured) {
        throw new Refusal('conflict', 'No mail server is set up: SMTP_URL is missing in the environment.');
      }
      const to = session.email;
      const siteUrl = env.SITE_URL ?? site.url;
      const messageId = `${randomUUID()}@${new URL(siteUrl).hostname}`;
      record('sent a test mail', to);
      try {
        const answer = await mailer.send(testMail(siteUrl), { to, replyTo: mailer.firmAddress, messageId });
        return { to, sent: true, answer };
      } catch (error) {
        return { to, sent: false, answer: error instanceof Error ? error.message : String(error) };
      }
    },
  }),
  on('POST', '/api/settings/test-webhook', {
    access: 'admin',
    summary: 'Posts a message to the firm’s chat and answers what its webhook said',
    output: testReceipt,
    run: async ({ services: { webhook, env, now }, record }): Promise<TestReceipt> => {
      if (!webhook.configured) throw noWebhook();
      const to = 'the chat';
      record(`sent a test message to ${to}`);
      try {
        const notice = testNotice(env.SITE_URL ?? site.url, now().toISOString());
        return { to, sent: true, answer: await webhook.post(notice, randomUUID()) };
      } catch (error) {
        return { to, sent: false, answer: error instanceof Error ? error.message : String(error) };
      }
    },
  }),
);

export const config: Config = {
  path: ['/api/settings/status', '/api/settings/test-mail', '/api/settings/test-webhook'],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
