import * as z from 'zod/mini';

/** The parts of the site that a report names. */
export const healthParts = ['database', 'blobs', 'disk', 'mail', 'webhook', 'schedule', 'posts'] as const;

export type HealthPartName = (typeof healthParts)[number];

/**
 * `GET /api/health`: 503 while something stops what the site is for (`failing`), else 200: `ok`, or `degraded` while other work,
 * such as email, fails.
 */
export const healthReport = z.object({
  status: z.enum(['ok', 'degraded', 'failing']),
  version: z.string(),
  /** Each part is `ok`, or what is wrong and what to do, in words that name no host and no secret. */
  database: z.string(),
  blobs: z.string(),
  /** Its free space, where the host can look at it. */
  disk: z.string(),
  mail: z.string(),
  /** Also where none is set up. */
  webhook: z.string(),
  schedule: z.string(),
  /** Of the posts that are published by themselves. */
  posts: z.string(),
});

export type HealthReport = z.infer<typeof healthReport>;
