import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';

/** Who deletes what was kept long enough: the site itself. */
export const retention = 'retention';

/** An entry of its own kind: such entries are counted by the hour. */
export const failedSignIn = 'failed to sign in';

/** What admins changed, who signed in or failed to, what visitors were refused, what the site did by itself. */
const activityKind = z.enum(['change', 'sign-in', 'refused', 'site'], 'The kind is change, sign-in, refused or site.');

export type ActivityKind = z.infer<typeof activityKind>;

/** One thing that an admin did, or the site by itself. */
export const activityRecord = z.object({
  id: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The admin's email address, or {@link retention}. Empty for what visitors were refused: nothing of them is kept. */
  who: z.string(),
  /** What was done, as it reads after the name: `released an inquiry`. */
  action: z.string(),
  /** What it was done to: a reference, a title, a file's name. Empty where the action says it all. */
  subject: z.string(),
  kind: activityKind,
  /** How often, where an hour of the same is one entry; then `at` is the last time. */
  count: z.number(),
});

export type ActivityRecord = z.infer<typeof activityRecord>;

/** `GET /api/settings/activity`, newest first. */
export const activityQuery = z.extend(z.pick(listQuery, { limit: true, cursor: true }), {
  /** One kind, or all. */
  kind: z._default(z.enum(['', ...activityKind.options], 'The kind is change, sign-in, refused or site.'), ''),
});

export type ActivityQuery = z.infer<typeof activityQuery>;

export const activityPage = pageOf(activityRecord);
