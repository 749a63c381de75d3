import * as z from 'zod/mini';
import { listQuery, pageOf } from './paging.ts';

/** `who` in log entries about automatic deletions of data whose retention period has ended. */
export const retention = 'retention';

/** `who` in log entries about commands that someone runs on the server. */
export const serverCommand = 'A server command';

/** `action` in log entries about failed sign-ins. One entry counts all failed sign-ins within an hour. */
export const failedSignIn = 'failed to sign in';

/**
 * The kinds of entries in the activity log.
 * - `change`: an admin changed, exported or sent something.
 * - `sign-in`: an admin signed in or out, or failed to sign in.
 * - `site`: the site did something automatically.
 */
const kinds = ['change', 'sign-in', 'site'] as const;
const unknownKind = `The kind must be one of these: ${kinds.join(', ')}.`;
const activityKind = z.enum(kinds, unknownKind);

export type ActivityKind = z.infer<typeof activityKind>;

/** An entry of the activity log. */
export const activityRecord = z.object({
  id: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The admin's email address, {@link serverCommand}, or {@link retention}. */
  who: z.string(),
  /** The action, worded to follow the admin's name, such as `released an inquiry`. */
  action: z.string(),
  /** The object of the action: a reference, a title or a file name. Empty if the action needs no object. */
  subject: z.string(),
  kind: activityKind,
  /** Number of identical actions within an hour, which share one entry. `at` is the time of the last action. */
  count: z.number(),
});

export type ActivityRecord = z.infer<typeof activityRecord>;

/** Query of `GET /api/settings/activity`. Entries are listed newest first. */
export const activityQuery = z.extend(z.pick(listQuery, { limit: true, cursor: true }), {
  /** An empty string lists all kinds. */
  kind: z._default(z.enum(['', ...kinds], unknownKind), ''),
});

export type ActivityQuery = z.infer<typeof activityQuery>;

export const activityPage = pageOf(activityRecord);
