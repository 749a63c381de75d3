/**
 * Days after which the server deletes data, by the kind of data. Texts for admins and visitors state these numbers.
 * The period for applications is `applicationsKeptYears` in `src/site.config.ts`.
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
  /** A session that is not used: longer than a weekend, shorter than a vacation. */
  idleSession: 3,
  /** A browser in which an admin has signed in. */
  device: 180,
  /** The {@link keptActivities} newest entries of the activity log, except refused requests. */
  activity: 2 * 365,
  /** Refused requests and all older entries of the activity log. */
  refusals: 90,
  policyReport: 30,
} as const;

/** Number of the newest entries of the activity log that the server keeps for `keptDays.activity` days. */
export const keptActivities = 10_000;

/** Minutes for which a sign-in counts as fresh. Exports, erasures and changes to the account need a fresh sign-in. */
export const freshSignInMinutes = 10;
