/**
 * Days after which the server deletes data, by the kind of data. Texts for admins and visitors state these numbers.
 * The period for applications is `applicationsKeptYears` in `src/site.config.ts`.
 */
export const keptDays = {
  /** A post in the trash. */
  trashedPost: 30,
  /** A deleted or replaced file. */
  formerFile: 30,
  /** Unsaved changes to a post, home text or note, on the server and in the browser. */
  unsaved: 90,
  shareLink: 7,
  /** An invitation, after its link expired. */
  invitation: 7,
  /** A session, counted from the sign-in, even if the session is in use. */
  session: 7,
  /** A session, counted from its last use: longer than a weekend, shorter than a vacation. */
  idleSession: 3,
  /** A browser in which an admin has signed in. */
  device: 180,
  /** An entry of the activity log. */
  activity: 365,
} as const;

/** Minutes for which the link of an invitation, or the link after a sign-in with a recovery code, works. */
export const setUpLinkMinutes = 60;

/** Minutes for which a sign-in counts as fresh. Exports, erasures, and changes to the account or to who is an admin need a fresh sign-in. */
export const freshSignInMinutes = 10;
