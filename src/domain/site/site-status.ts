import * as z from 'zod/mini';

/** The parts of the site that the health report covers. */
export const healthParts = ['database', 'blobs', 'disk', 'mail', 'webhook', 'schedule', 'backup', 'pages'] as const;

export type HealthPartName = (typeof healthParts)[number];

/** Follows the error messages of failing parts, which say what to do on the server. */
export const forwardFault = 'If someone else manages the server, send this message to that person.';

/** Reported for each part that the site cannot check without the database, while the database does not work. */
export const notChecked = 'The site cannot check this until the database works again';

/**
 * Response of `GET /api/health`. While `status` is `failing`, the site cannot do its main work, and the HTTP status is
 * 503. Otherwise the HTTP status is 200. `degraded` means that other work, such as email, fails. For a monitor that reads
 * only the HTTP status, `GET /api/health?strict` returns 503 for `degraded` too.
 */
export const healthReport = z.object({
  status: z.enum(['ok', 'degraded', 'failing']),
  version: z.string(),
  /** Each part is `ok`, or says what is wrong and what to do. The texts contain no host names and no secrets. */
  database: z.string(),
  blobs: z.string(),
  /** Whether the disk has free space. Always `ok` on Netlify, where the free space is unknown. */
  disk: z.string(),
  mail: z.string(),
  /** Always `ok` if no webhook is configured. */
  webhook: z.string(),
  schedule: z.string(),
  /** Whether the last nightly backup and the last test restore succeeded. Always `ok` without `BACKUP_DIR` and `BACKUP_URL`. */
  backup: z.string(),
  /**
   * Whether the public pages have the latest changes. A self-hosted server keeps its last good build if a build fails, and
   * the host of a build hook can refuse a request.
   */
  pages: z.string(),
});

export type HealthReport = z.infer<typeof healthReport>;

/** Response of `GET /api/health`. Only admins, and requests of the server itself, get the whole report. */
export const healthAnswer = z.union([healthReport, z.pick(healthReport, { status: true })]);

/** State of the unsent messages of one channel: email, or the webhook of the team chat. */
const outboxStatus = z.object({
  /** True if the channel is configured. */
  configured: z.boolean(),
  /** Failed messages that `POST /api/settings/resend-mail` sends again. */
  resendable: z.number(),
  /** The last error from the mail server or the webhook since the last success. */
  error: z.nullable(z.string()),
});

export type OutboxStatus = z.infer<typeof outboxStatus>;

/** The last restore of a backup into a temporary folder, which the site makes every month. */
export const rehearsal = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Why the backup could not be restored. Null if it could. */
  error: z.nullable(z.string()),
});

export type Rehearsal = z.infer<typeof rehearsal>;

/** Response of `GET /api/settings/status`, for admins: the health report with details. */
export const siteStatus = z.object({
  health: healthReport,
  mail: outboxStatus,
  /** Messages to the team chat. */
  webhook: outboxStatus,
  /** The time of the newest nightly backup; ISO 8601, UTC. Missing if the site makes no backups by itself. */
  backedUpAt: z.optional(z.nullable(z.string())),
  /** Null before the first test restore. Missing if the site makes no backups by itself. */
  rehearsal: z.optional(z.nullable(rehearsal)),
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
