import * as z from 'zod/mini';
import { deliveryState } from './delivery.ts';
import { listQuery, pageOf } from './paging.ts';
import { emailField, lineField, linesField } from './plain-text.ts';

/** The choices of 'service of interest', in the order of the form (spec §5). */
export const serviceInterests = [
  { value: 'digital-roadmap', label: 'Digital Roadmap Advisory' },
  { value: 'project-recovery', label: 'Project Recovery' },
  { value: 'implementation', label: 'Implementation' },
  { value: 'development', label: 'Development & Integration' },
  { value: 'support', label: 'Managed Services & Support' },
  { value: 'other', label: 'Other' },
] as const;

export type ServiceInterest = (typeof serviceInterests)[number]['value'];

const serviceInterestValues = serviceInterests.map((option) => option.value) as [ServiceInterest, ...ServiceInterest[]];

/** The label of a stored value, for mails, lists and CSV. */
export function serviceInterestLabel(value: ServiceInterest): string {
  return serviceInterests.find((option) => option.value === value)?.label ?? value;
}

/**
 * The form's value for the service that a page is about, so that a form opened from a service page has it
 * chosen: `project-rescue` is `project-recovery`, e-commerce is `development` (decisions, 'Contact and careers').
 */
export function serviceInterestOf(serviceId: string): ServiceInterest | null {
  if (serviceId === 'project-rescue') return 'project-recovery';
  if (serviceId === 'ecommerce-integrations') return 'development';
  return serviceInterestValues.find((value) => value === serviceId) ?? null;
}

/** What a visitor sends: `POST /api/contact` (spec §5, all five required). Unknown fields are left out. */
export const inquiryInput = z.object({
  fullName: lineField('Name must be at least 2 characters.', { min: 2 }),
  email: emailField('Please enter a valid email address.'),
  company: lineField('Company name is required.'),
  serviceInterest: z.enum(serviceInterestValues, 'Please select a service.'),
  message: linesField('Message must be at least 10 characters.', { min: 10 }),
});

export type InquiryInput = z.infer<typeof inquiryInput>;

/**
 * Marks that the form adds beside the five fields; none is required, and none ever refuses an inquiry
 * (decisions: what looks like a robot's is answered as usual and put in quarantine).
 */
export const inquiryMarks = {
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
 * The short reference of an inquiry, such as `7K3M-9QXD`: the first 40 bits of its id (a UUID), so that it needs no
 * place of its own and leads back to the inquiry by {@link idRangeOf}.
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

/** Where an inquiry stands: in the inbox, or held back as a robot's until an admin releases it. */
const inquiryStatus = z.enum(['inbox', 'quarantine'], 'The status is inbox or quarantine.');

export type InquiryStatus = z.infer<typeof inquiryStatus>;

/** An inquiry as the admin's list shows it: `GET /api/contact/submissions`. */
export const inquiryRecord = z.object({
  id: z.string(),
  /** Short reference that the visitor saw and that stands in the mails. */
  reference: z.string(),
  ...inquiryInput.shape,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  status: inquiryStatus,
  /** Why it is, or was, in quarantine: sentences for the admin. Empty for an ordinary inquiry. */
  suspicions: z.array(z.string()),
  /** Mail to the firm, and the acknowledgement to the sender. */
  delivery: z.object({ firm: deliveryState, sender: deliveryState }),
});

export type InquiryRecord = z.infer<typeof inquiryRecord>;

/** `GET /api/contact/submissions`. */
export const inquiryListQuery = z.extend(listQuery, { status: z._default(inquiryStatus, 'inbox') });

export type InquiryListQuery = z.infer<typeof inquiryListQuery>;

/** A page of inquiries, with how many there are in each place. */
export const inquiryPage = z.extend(pageOf(inquiryRecord), {
  counts: z.object({ inbox: z.number(), quarantine: z.number() }),
});

export type InquiryPage = z.infer<typeof inquiryPage>;

/** `POST /api/contact/submissions/{id}/resend`: which of the two mails goes out again. */
export const resendInput = z.object({
  mail: z.enum(['firm', 'sender'], 'The mail is firm or sender.'),
});

/** Answer to `POST /api/contact`, status 201. */
export const inquiryReceipt = z.object({
  success: z.literal(true),
  id: z.string(),
  reference: z.string(),
});

export type InquiryReceipt = z.infer<typeof inquiryReceipt>;

/** Subject of the admin's reply by mail (spec §2, Contact Submissions tab). */
export const replySubject = 'Re: NetSuite Consultation Request';
