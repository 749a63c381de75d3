import * as z from 'zod/mini';
import { type Fields, type InputOf, recordShape } from '../field.ts';
import { offeredServices } from './offered-services.ts';
import { pageOf } from '../text/paging.ts';
import { submissionCounts, submissionShape } from './submission.ts';

/** The options of "Service of interest", in the order of the form. */
export const serviceInterests: readonly { readonly value: string; readonly label: string }[] = [
  ...offeredServices.flatMap(({ interest, label }) => (label ? [{ value: interest, label }] : [])),
  { value: 'other', label: 'Other' },
];

/** The fields of the contact form. */
export const inquiryFields = {
  fullName: {
    label: 'Full name',
    short: 'Name',
    kind: 'line',
    min: 2,
    message: 'Name must be at least 2 characters.',
    autocomplete: 'name',
  },
  email: {
    label: 'Email',
    kind: 'email',
    message: 'Please enter a valid email address.',
    copied: 'email address',
  },
  company: {
    label: 'Company',
    kind: 'line',
    message: 'Company name is required.',
    autocomplete: 'organization',
    inList: true,
  },
  serviceInterest: {
    label: 'Service of interest',
    short: 'Service',
    kind: 'choice',
    options: serviceInterests,
    placeholder: 'Select a service',
    message: 'Please select a service.',
    inList: true,
  },
  message: {
    label: 'Message',
    kind: 'lines',
    min: 10,
    message: 'Message must be at least 10 characters.',
    rows: 4,
    inList: true,
  },
} as const satisfies Fields;

/** The fields that `POST /api/contact` receives. */
export type InquiryInput = InputOf<typeof inquiryFields>;

/** An inquiry in the admin's list: `GET /api/contact/submissions`. */
export const inquiryRecord = z.object({ ...submissionShape, ...recordShape(inquiryFields) });

export type InquiryRecord = z.infer<typeof inquiryRecord>;

/** A page of inquiries, with the number of inquiries in each folder. */
export const inquiryPage = z.extend(pageOf(inquiryRecord), { counts: submissionCounts });

export type InquiryPage = z.infer<typeof inquiryPage>;

/** Response of `POST /api/contact`, status 201. */
export const inquiryReceipt = z.object({
  success: z.literal(true),
  id: z.string(),
  reference: z.string(),
});

export type InquiryReceipt = z.infer<typeof inquiryReceipt>;

/** Subject of the admin's email reply to an inquiry (docs/product.md#contact-submissions). */
export const replySubject = 'Re: NetSuite Consultation Request';
