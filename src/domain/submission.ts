import * as z from 'zod/mini';
import { deliveryState } from './delivery.ts';
import { listQuery } from './paging.ts';
import { linesField } from './plain-text.ts';

/*
 * What inquiries and applications have in common: both are sent by a visitor, held back where they look like a robot's,
 * mailed to the firm and acknowledged, and worked off by an admin.
 */

/**
 * Marks that a form adds beside its fields; none is required, and none ever refuses a submission
 * (decisions: what looks like a robot's is answered as usual and put in quarantine).
 */
export const submissionMarks = {
  /** A field that people cannot see. Browsers' autofill may fill it, so a hit only quarantines. */
  honeypot: 'website',
  /** Milliseconds from opening the page to sending the form, by the visitor's own clock. */
  fillTime: 'fillMs',
} as const;

/** A page whose form is sent sooner after it was opened was not filled in by a person. */
export const minimumFillMs = 2_000;

// Crockford's alphabet: no letter that can be taken for a digit when it is read out on the phone.
const referenceAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const referenceBits = 40n;

/**
 * The short reference of a submission, such as `7K3M-9QXD`: the first 40 bits of its id (a UUID), so that it needs no
 * place of its own and leads back to it by {@link idRangeOf}.
 */
export function referenceOf(id: string): string {
  let bits = BigInt(`0x${id.replaceAll('-', '').slice(0, 10)}`);
  let text = '';
  for (let index = 0; index < 8; index += 1) {
    text = `${referenceAlphabet[Number(bits & 31n)]}${text}`;
    bits >>= 5n;
  }
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/**
 * The ids that a reference can stand for, as the bounds of a half-open range.
 * @param text what somebody typed; with or without the hyphen, O for 0 and I or L for 1.
 * @returns null where the text is no reference.
 */
export function idRangeOf(text: string): { from: string; to: string } | null {
  const digits = text.toUpperCase().replace(/[-\s]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (digits.length !== 8) return null;
  let bits = 0n;
  for (const digit of digits) {
    const value = referenceAlphabet.indexOf(digit);
    if (value === -1) return null;
    bits = (bits << 5n) | BigInt(value);
  }
  const prefix = (value: bigint) => {
    const hex = value.toString(16).padStart(Number(referenceBits) / 4, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}`;
  };
  return { from: prefix(bits), to: bits + 1n < 1n << referenceBits ? prefix(bits + 1n) : 'g' };
}

/** In the inbox, or in quarantine as spam until an admin releases it. */
const submissionStatus = z.enum(['inbox', 'quarantine'], 'The status is inbox or quarantine.');

export type SubmissionStatus = z.infer<typeof submissionStatus>;

/** Where an admin looks for it: what is handled has left the inbox. */
const submissionPlace = z.enum(['inbox', 'handled', 'quarantine'], 'The status is inbox, handled or quarantine.');

export type SubmissionPlace = z.infer<typeof submissionPlace>;

/** The place in which a submission is listed. */
export function placeOf({
  status,
  handledAt,
}: {
  status: SubmissionStatus;
  handledAt: string | null;
}): SubmissionPlace {
  return status === 'inbox' && handledAt !== null ? 'handled' : status;
}

/** What every record of a submission has beside what the visitor wrote. */
export const submissionShape = {
  id: z.string(),
  /** Short reference, shown to the visitor and in emails. */
  reference: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  status: submissionStatus,
  /** Why it is, or was, in quarantine: sentences for the admin. Empty for an ordinary one. */
  suspicions: z.array(z.string()),
  /** When an admin was done with it; ISO 8601, UTC. */
  handledAt: z.nullable(z.string()),
  /** What admins noted about it; never seen by anybody else. */
  note: z.string(),
  /** Mail to the firm, the acknowledgement to the sender, and the message to the firm's chat. */
  delivery: z.object({ firm: deliveryState, sender: deliveryState, webhook: deliveryState }),
} as const;

/** The list of either: `GET /api/contact/submissions`, `GET /api/contact/applications`. */
export const submissionListQuery = z.extend(listQuery, { status: z._default(submissionPlace, 'inbox') });

export type SubmissionListQuery = z.infer<typeof submissionListQuery>;

/** How many there are in each place. */
export const submissionCounts = z.object({ inbox: z.number(), handled: z.number(), quarantine: z.number() });

export type SubmissionCounts = z.infer<typeof submissionCounts>;

/** `POST …/{id}/resend`: which of its messages goes out again. */
export const resendInput = z.object({
  mail: z.enum(['firm', 'sender', 'webhook'], 'The mail is firm, sender or webhook.'),
});

/** `POST …/{id}/handled`. */
export const handledInput = z.object({ handled: z.boolean('Say whether it is handled.') });

const noteField = linesField('A note is a text.', { min: 0, max: 5_000 });

/**
 * `PUT …/{id}/note`; an empty note is none. `was` is the note that the admin saw: if another one is stored by then, nothing
 * is saved. Without it the last call wins.
 */
export const noteInput = z.object({ note: noteField, was: z.optional(noteField) });
