import * as z from 'zod/mini';
import { healthReport } from './health.ts';

/** State of the unsent messages of one channel: email, or the webhook of the firm's chat. */
const outboxStatus = z.object({
  /** True if the channel is configured. */
  configured: z.boolean(),
  /** Messages that are not sent yet, including those that are tried again. */
  waiting: z.number(),
  /** Failed messages that `POST /api/settings/resend-mail` sends again. */
  resendable: z.number(),
  /** The last error from the mail server or the webhook since the last success. */
  error: z.nullable(z.string()),
  /** Time of the first failure since the last success; ISO 8601, UTC. */
  failingSince: z.nullable(z.string()),
  /** Time of the last success; ISO 8601, UTC. */
  succeededAt: z.nullable(z.string()),
});

export type OutboxStatus = z.infer<typeof outboxStatus>;

/** Response of `GET /api/settings/status`, for admins: the public health report with details. */
export const siteStatus = z.object({
  health: healthReport,
  mail: outboxStatus,
  /** Messages to the firm's chat. */
  webhook: outboxStatus,
  /** When the background tasks last ran; ISO 8601, UTC. */
  ranAt: z.nullable(z.string()),
});

export type SiteStatus = z.infer<typeof siteStatus>;

/** Response of `POST /api/settings/resend-mail`: the number of failed emails that the site sends again. */
export const queuedMail = z.object({ queued: z.number() });

/** The result of one test message. */
const testReceipt = z.object({
  /** Recipient of the email, or the text `the team chat` for the webhook, because its URL is a secret. */
  to: z.string(),
  /** False if the message was rejected, or the server was unreachable. */
  sent: z.boolean(),
  /** Reply of the mail server or the webhook. */
  answer: z.string(),
});

/** Response of `POST /api/settings/test-mail` and `POST /api/settings/test-webhook`: one receipt for each recipient. */
export const testReceipts = z.object({ receipts: z.array(testReceipt) });

export type TestReceipts = z.infer<typeof testReceipts>;
