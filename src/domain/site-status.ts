import * as z from 'zod/mini';
import { healthReport } from './health.ts';

/** `GET /api/settings/status`: what `GET /api/health` says, with the numbers behind it, for admins. */
export const siteStatus = z.object({
  health: healthReport,
  mail: z.object({
    /** Whether a mail server is set up. */
    configured: z.boolean(),
    /** Mails that are still to go out, and those among them that were due more than five minutes ago. */
    waiting: z.number(),
    overdue: z.number(),
    /** Mails that were given up after a day of tries. */
    failed: z.number(),
    /** When the oldest of those that wait came; ISO 8601, UTC. */
    oldestAt: z.nullable(z.string()),
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

/** Answer to `POST /api/settings/test-mail`. */
export const testMailReceipt = z.object({
  to: z.string(),
  /** False where the mail server refused it, or could not be reached. */
  sent: z.boolean(),
  /** The mail server's own words. */
  answer: z.string(),
});

export type TestMailReceipt = z.infer<typeof testMailReceipt>;
