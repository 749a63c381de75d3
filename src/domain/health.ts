import * as z from 'zod/mini';

/** The parts of the site that the health report covers. */
export const healthParts = ['database', 'blobs', 'disk', 'mail', 'webhook', 'schedule', 'pages'] as const;

export type HealthPartName = (typeof healthParts)[number];

/** Follows the error messages of failing parts, which say what to do on the server. */
export const forwardFault = 'If someone else manages the server, send this message to that person.';

/** Reported for each part that the site cannot check without the database, while the database does not work. */
export const notChecked = 'The site cannot check this until the database works again';

/**
 * Response of `GET /api/health`. While `status` is `failing`, the site cannot do its main work, and the HTTP status is
 * 503. Otherwise the HTTP status is 200. `degraded` means that other work, such as email, fails.
 */
export const healthReport = z.object({
  status: z.enum(['ok', 'degraded', 'failing']),
  version: z.string(),
  /**
   * Each part is `ok`, or says what is wrong and what to do. The texts contain no host names and no secrets, because
   * the report is public.
   */
  database: z.string(),
  blobs: z.string(),
  /** Whether the disk has free space. Always `ok` on Netlify, where the free space is unknown. */
  disk: z.string(),
  mail: z.string(),
  /** Always `ok` if no webhook is configured. */
  webhook: z.string(),
  schedule: z.string(),
  /** Whether the public pages have the latest changes. A self-hosted server keeps its last good build if a build fails. */
  pages: z.string(),
});

export type HealthReport = z.infer<typeof healthReport>;
