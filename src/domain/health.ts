import * as z from 'zod/mini';

/** `GET /api/health`: 200 when everything answers, else 503 with the same shape. */
export const healthReport = z.object({
  status: z.enum(['ok', 'failing']),
  version: z.string(),
  /** `ok`, or what is wrong in words that name no secret. */
  database: z.string(),
  blobs: z.string(),
});

export type HealthReport = z.infer<typeof healthReport>;
