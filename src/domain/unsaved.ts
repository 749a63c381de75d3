import * as z from 'zod/mini';

/** The records that admins edit as text: posts, home texts, and notes about submissions. */
export const unsavedKind = z.enum(['post', 'section', 'note']);
export type UnsavedKind = z.infer<typeof unsavedKind>;

/** The id of the edited record, or an id that the editor generated for a new post. */
export const unsavedId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/, 'Unknown id.'));

/** The most characters of all fields together. A post has at most 300,000. */
const mostCharacters = 1_000_000;

/** The version of the saved record that the admin opened; null for a new record. */
const base = z._default(z.nullable(z.string().check(z.maxLength(10_000))), null);

/** The fields of an editor, complete or not. */
const text = z
  .record(z.string(), z.string())
  .check(z.refine((fields) => Object.values(fields).join('').length <= mostCharacters, 'This text is too long.'));

/**
 * Request body of `PUT /api/cms/unsaved/{kind}/{id}`: the edited record does not change. */
export const unsavedInput = z.object({
  base,
  text,
  /** Earlier changes that the editor still offers, because they started from another version. */
  older: z._default(z.nullable(z.object({ base, text, updatedAt: z.string() })), null),
});

/** Unsaved changes of an admin. */
export const unsavedRecord = z.extend(unsavedInput, {
  /** The admin's email address. */
  by: z.string(),
  /** ISO 8601, UTC. */
  updatedAt: z.string(),
});

export type UnsavedRecord = z.infer<typeof unsavedRecord>;

/**
 * Response of `GET /api/cms/unsaved/{kind}/{id}`: the signed-in admin's changes, else the latest changes of another
 * admin, else null.
 */
export const unsavedAnswer = z.object({ data: z.nullable(unsavedRecord) });

/** Response of `PUT /api/cms/unsaved/{kind}/{id}`. */
export const unsavedReceipt = z.object({ data: z.pick(unsavedRecord, { updatedAt: true }) });

const summary = z.object({
  kind: unsavedKind,
  id: z.string(),
  by: z.string(),
  /** The title in the text; '' if there is none. */
  title: z.string(),
  updatedAt: z.string(),
});

export type UnsavedSummary = z.infer<typeof summary>;

/** Response of `GET /api/cms/unsaved`: the unsaved changes of all admins, newest first. */
export const unsavedList = z.object({ data: z.array(summary) });
