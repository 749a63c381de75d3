import { randomUUID } from 'node:crypto';
import type { Config } from '@netlify/functions';
import { siteStatus, type TestMailReceipt, testMailReceipt } from '../../src/domain/site-status.ts';
import { site } from '../../src/site.config.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal } from '../server/http/refusal.ts';
import { testMail } from '../server/mail/messages.ts';
import { siteStatusOf } from '../server/site-status.ts';

export default endpoint(
  on('GET', '/api/settings/status', {
    access: 'admin',
    summary: 'The state of the database, the blob store, the mail and the scheduled work',
    output: siteStatus,
    run: async ({ services }) => await siteStatusOf(services),
  }),
  on('POST', '/api/settings/test-mail', {
    access: 'admin',
    summary: 'Sends a mail to the signed-in admin and answers what the mail server said',
    output: testMailReceipt,
    run: async ({ session, services: { mailer, env }, record }): Promise<TestMailReceipt> => {
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
);

export const config: Config = {
  path: ['/api/settings/status', '/api/settings/test-mail'],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
