import * as z from 'zod/mini';
import { listQuery } from '../text/paging.ts';
import { type Field, fieldSchema } from '../field.ts';

/**
 * The delivery state of an email, or of a message to the team chat.
 * - `none`: there is no message, because the inquiry is in quarantine or the chat has no webhook.
 * - `waiting`: in the outbox and not tried yet, or no mail server is configured.
 * - `retrying`: failed at least once, and the site will try again.
 * - `sent`: accepted by the mail server or the webhook.
 * - `skipped`: not sent on purpose. `error` has the reason.
 * - `failed`: the site stopped trying. The button "Send again" starts another day of tries.
 */
const deliveryStatus = z.enum(['none', 'waiting', 'retrying', 'sent', 'skipped', 'failed']);

const deliveryState = z.object({
  status: deliveryStatus,
  /** When the message was sent, or when the next try is due; ISO 8601, UTC. */
  at: z.nullable(z.string()),
  /** The last error from the mail server or the webhook, shown to admins. */
  error: z.nullable(z.string()),
});

export type DeliveryState = z.infer<typeof deliveryState>;

/*
 * Fields and rules that inquiries and applications share. Both are sent by a visitor, quarantined if they look like
 * spam, emailed to the firm, acknowledged by email, and handled by an admin.
 */

/**
 * Form fields that help to detect bots. None is required, and none makes the server reject a submission. The server
 * responds to a suspicious submission as usual and puts it in quarantine. The schema is `sentForm` in
 * `netlify/server/submissions/receive.ts`.
 */
export const submissionMarks = {
  /**
   * Name of a field that people cannot see. A value may also come from the browser's autofill, so it only moves the
   * submission to quarantine.
   */
  honeypot: 'website',
  /** Name of the field with the milliseconds from opening the page to sending the form, by the visitor's clock. */
  fillTime: 'fillMs',
} as const;

/** Minimum time that a person needs to fill in the form, in milliseconds. A form sent sooner looks like spam. */
export const minimumFillMs = 2_000;

// Crockford's Base32 alphabet. It has no I, L and O, which look like digits, and no U.
const referenceAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the short reference of a submission, such as `7K3M-9QXD`: the first 40 bits of its id (a UUID). The database
 * needs no column for references, because {@link idRangeOf} converts a reference back to ids.
 */
export function referenceOf(id: string): string {
  const digits = Number.parseInt(id.replaceAll('-', '').slice(0, 10), 16).toString(32).padStart(8, '0');
  const text = digits.replaceAll(/./g, (digit) => referenceAlphabet[Number.parseInt(digit, 32)] ?? '');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/**
 * Returns the range of IDs that match a reference. `from` is included, `to` is not.
 * @param text the typed reference, with or without the hyphen. O is read as 0, and I and L as 1.
 * @returns null if the text is not a reference.
 */
export function idRangeOf(text: string): { from: string; to: string } | null {
  const typed = text.toUpperCase().replace(/[-\s]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const values = Array.from(typed, (digit) => referenceAlphabet.indexOf(digit));
  if (values.length !== 8 || values.includes(-1)) return null;
  const bits = values.reduce((sum, value) => sum * 32 + value, 0);
  const prefix = (value: number) => {
    const hex = value.toString(16).padStart(10, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}`;
  };
  return { from: prefix(bits), to: bits + 1 < 2 ** 40 ? prefix(bits + 1) : 'g' };
}

/** `quarantine` is for suspected spam, until an admin releases the submission. */
const submissionStatus = z.enum(['inbox', 'quarantine'], 'The status must be inbox or quarantine.');

export type SubmissionStatus = z.infer<typeof submissionStatus>;

/** The admin's folder that contains a submission. Handled submissions are not in the inbox. */
const submissionFolder = z.enum(['inbox', 'handled', 'quarantine'], 'The status must be inbox, handled or quarantine.');

export type SubmissionFolder = z.infer<typeof submissionFolder>;

export function folderOf({
  status,
  handledAt,
}: {
  status: SubmissionStatus;
  handledAt: string | null;
}): SubmissionFolder {
  return status === 'inbox' && handledAt !== null ? 'handled' : status;
}

/** The fields that the server adds to every submission, in addition to the fields that the visitor fills in. */
export const submissionShape = {
  id: z.string(),
  /** Short reference, shown to the visitor and in emails. */
  reference: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  status: submissionStatus,
  /** Reasons why the submission is, or was, in quarantine, as sentences for the admin. Empty if it never was. */
  suspicions: z.array(z.string()),
  /** When an admin marked the submission as handled; ISO 8601, UTC. */
  handledAt: z.nullable(z.string()),
  /** Note that only admins see. */
  note: z.string(),
  /** The email to the firm, the acknowledgment to the sender, and the message to the team chat. */
  delivery: z.object({ firm: deliveryState, sender: deliveryState, webhook: deliveryState }),
} as const;

/** Query of `GET /api/contact/submissions` and `GET /api/contact/applications`. */
export const submissionListQuery = z.extend(listQuery, { status: z._default(submissionFolder, 'inbox') });

export type SubmissionListQuery = z.infer<typeof submissionListQuery>;

/** The number of submissions in each folder. */
export const submissionCounts = z.object({
  inbox: z.number(),
  handled: z.number(),
  quarantine: z.number(),
  /** For applications: the number in all folders together that the site deletes within `leavingDays` days. */
  leaving: z.optional(z.number()),
});

export type SubmissionCounts = z.infer<typeof submissionCounts>;

/** Request body for sending a message about a submission again: `POST …/{id}/resend`. */
export const resendInput = z.object({
  mail: z.enum(['firm', 'sender', 'webhook'], 'The message to send again must be one of these: firm, sender, webhook.'),
});

/** Request body for marking a submission as handled or not handled: `POST …/{id}/handled`. */
export const handledInput = z.object({ handled: z.boolean('The value of “handled” must be true or false.') });

export const noteField = {
  label: 'Private note',
  kind: 'lines',
  min: 0,
  max: 5_000,
  message: 'The note must be text.',
} as const satisfies Field;

/**
 * Request body for saving an admin's note: `PUT …/{id}/note`. An empty note removes the stored note. `was` is the note
 * that the admin saw before. The server rejects the request if the stored note is not `was`. Without `was`, the request
 * always overwrites the note.
 */
export const noteInput = z.object({ note: fieldSchema(noteField), was: z.optional(fieldSchema(noteField)) });

/** Request body for keeping an application after its deletion date, or no longer: `POST …/{id}/kept`. */
export const keptInput = z.object({ kept: z.boolean('The value of “kept” must be true or false.') });
