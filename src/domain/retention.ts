/**
 * Days for which the server keeps data, sessions and known browsers. Texts for admins and visitors state these numbers.
 * Applications have their own period, `applicationsKeptYears` in `src/site.config.ts`.
 */
export const keptDays = {
  /** A post in the trash. */
  trashedPost: 30,
  /** A deleted or replaced file. */
  formerFile: 30,
  /** The server's copy of unsaved changes to a post. */
  postDraft: 90,
  shareLink: 7,
  /** A session, even one that is in use. */
  session: 7,
  /** A session that nobody uses: longer than a weekend, shorter than a vacation. */
  idleSession: 3,
  /** A browser in which an admin has signed in. */
  device: 180,
  activity: 2 * 365,
  /** Refused requests in the activity log. All other entries stay at least as long. */
  refusals: 90,
  policyReport: 30,
} as const;

/** This many of the newest entries of the activity log are kept until they reach the maximum age. */
export const keptActivities = 10_000;

/** Minutes for which a sign-in counts as fresh. Exports, erasures and changes to the account need a fresh sign-in. */
export const freshSignInMinutes = 10;
