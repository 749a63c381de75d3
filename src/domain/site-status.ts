import * as z from 'zod/mini';
import { healthReport } from './health.ts';

/** State of the stored messages for one channel: email, or the webhook of the firm's chat. */
const outboxStatus = z.object({
  /** True if the channel is configured. */
  configured: z.boolean(),
  /**
   * Messages to be sent. `retrying` counts those that failed at least once, and `overdue` those that were due more than
   * five minutes ago.
   */
  waiting: z.number(),
  retrying: z.number(),
  overdue: z.number(),
  /** Messages to the firm that the site stopped trying to send. */
  failed: z.number(),
  /** Acknowledgments to visitors that the site stopped trying to send in the last seven days. */
  undeliverable: z.number(),
  /** When the oldest waiting message was first tried, or was due if it was never tried; ISO 8601, UTC. */
  oldestAt: z.nullable(z.string()),
  /**
   * Time of the first failure since the last success; ISO 8601, UTC. `error` is the last error from the mail server or
   * the webhook, or the error of a message to the firm that is refused.
   */
  failingSince: z.nullable(z.string()),
  error: z.nullable(z.string()),
  succeededAt: z.nullable(z.string()),
});

export type OutboxStatus = z.infer<typeof outboxStatus>;

/** Response of `GET /api/settings/status`, for admins: the public health report with details. */
export const siteStatus = z.object({
  health: healthReport,
  mail: outboxStatus,
  /** Messages to the firm's chat. */
  webhook: outboxStatus,
  posts: z.object({
    /** Drafts that the site will publish automatically. `overdue` counts those more than five minutes late. */
    scheduled: z.number(),
    overdue: z.number(),
    /** When the next scheduled draft is due; ISO 8601, UTC. */
    nextAt: z.nullable(z.string()),
  }),
  jobs: z.array(
    z.object({
      name: z.string(),
      /** When the job last ran, and when it last succeeded; ISO 8601, UTC. */
      ranAt: z.string(),
      succeededAt: z.nullable(z.string()),
      overdue: z.boolean(),
    }),
  ),
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
