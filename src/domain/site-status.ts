import * as z from 'zod/mini';
import { healthReport } from './health.ts';

/** One way out of the outbox. */
const outboxStatus = z.object({
  /** Whether it is set up. */
  configured: z.boolean(),
  /** Messages that are still to go out, and those among them that were due more than five minutes ago. */
  waiting: z.number(),
  overdue: z.number(),
  /** Messages to the firm that were given up: after a day of tries, or because they were refused for good. */
  failed: z.number(),
  /** Acknowledgements to visitors that were given up. */
  undeliverable: z.number(),
  /** When the oldest of those that wait came; ISO 8601, UTC. */
  oldestAt: z.nullable(z.string()),
  /** The first failure since the last success, and what the server last said. */
  failingSince: z.nullable(z.string()),
  error: z.nullable(z.string()),
  succeededAt: z.nullable(z.string()),
});

export type OutboxStatus = z.infer<typeof outboxStatus>;

/** `GET /api/settings/status`: what `GET /api/health` says, with the numbers behind it, for admins. */
export const siteStatus = z.object({
  health: healthReport,
  mail: outboxStatus,
  /** Messages to the firm's chat. */
  webhook: outboxStatus,
  posts: z.object({
    /** Drafts that are published by themselves, and those among them whose time was more than five minutes ago. */
    scheduled: z.number(),
    overdue: z.number(),
    /** The earliest of their times; ISO 8601, UTC. */
    nextAt: z.nullable(z.string()),
  }),
  /** What visitors' browsers refused by the pages' policy in the last 30 days: in all, and the latest kinds. */
  policyReports: z.object({
    count: z.number(),
    latest: z.array(
      z.object({
        directive: z.string(),
        blocked: z.string(),
        page: z.string(),
        count: z.number(),
        /** ISO 8601, UTC. */
        lastAt: z.string(),
      }),
    ),
  }),
  /** The work that is done every minute without anybody's asking. */
  jobs: z.array(
    z.object({
      name: z.string(),
      /** When it last ran, and when it last ended well; ISO 8601, UTC. */
      ranAt: z.string(),
      succeededAt: z.nullable(z.string()),
      overdue: z.boolean(),
    }),
  ),
});

export type SiteStatus = z.infer<typeof siteStatus>;

/** What became of one test message. */
const testReceipt = z.object({
  /** The address of an email; `the chat` for the webhook, whose own address is a secret. */
  to: z.string(),
  /** False where it was refused, or the server could not be reached. */
  sent: z.boolean(),
  /** The mail server's own words, or what the webhook answered. */
  answer: z.string(),
});

/** Answer to `POST /api/settings/test-mail` and `POST /api/settings/test-webhook`: one receipt for each address that the site sends to. */
export const testReceipts = z.object({ receipts: z.array(testReceipt) });

export type TestReceipts = z.infer<typeof testReceipts>;
