import * as z from 'zod/mini';
import { listQuery, pageOf } from './text/paging.ts';

/** `who` in log entries about automatic deletions of data whose retention period has ended. */
export const retention = 'The site';

/** `who` in log entries about commands that someone runs on the server. */
export const serverCommand = 'Someone with server access';

/** An entry of the activity log. */
const activityRecord = z.object({
  id: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The admin's email address, {@link serverCommand}, or {@link retention}. */
  who: z.string(),
  /** The action, worded to follow the admin's name, such as `released an inquiry`. */
  action: z.string(),
  /** The object of the action: a reference, a title or a file name. Empty if the action needs no object. */
  subject: z.string(),
  /** The URL of the admin page of the object; empty if there is none. */
  link: z.string(),
});

export type ActivityRecord = z.infer<typeof activityRecord>;

/** Query of `GET /api/settings/activity`. Entries are listed newest first. */
export const activityQuery = z.pick(listQuery, { limit: true, cursor: true });

export type ActivityQuery = z.infer<typeof activityQuery>;

export const activityPage = pageOf(activityRecord);
