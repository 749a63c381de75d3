import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';

/** Who deletes what was kept long enough: the site itself. */
export const retention = 'retention';

/** One thing that an admin did, or the site by itself. */
export const activityRecord = z.object({
  id: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The admin's e-mail address, or {@link retention}. */
  who: z.string(),
  /** What was done, as it reads after the name: `released an inquiry`. */
  action: z.string(),
  /** What it was done to: a reference, a title, a file's name. Empty where the action says it all. */
  subject: z.string(),
});

export type ActivityRecord = z.infer<typeof activityRecord>;

/** `GET /api/settings/activity`, newest first. */
export const activityQuery = z.pick(listQuery, { limit: true, cursor: true });

export type ActivityQuery = z.infer<typeof activityQuery>;

export const activityPage = pageOf(activityRecord);
