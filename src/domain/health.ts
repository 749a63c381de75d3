import * as z from 'zod/mini';

/**
 * `GET /api/health`: 200 while visitors and admins are served (`ok`, or `degraded` where work that nobody waits for does
 * not go on), else 503 with the same shape.
 */
export const healthReport = z.object({
  status: z.enum(['ok', 'degraded', 'failing']),
  version: z.string(),
  /** Each is `ok`, or what is wrong in words that name no secret. */
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
