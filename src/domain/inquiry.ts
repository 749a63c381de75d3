import * as z from 'zod/mini';
import { pageOf } from './paging.ts';
import { emailField, lineField, linesField } from './plain-text.ts';
import { submissionCounts, submissionShape } from './submission.ts';

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

/** An inquiry as the admin's list shows it: `GET /api/contact/submissions`. */
export const inquiryRecord = z.object({ ...submissionShape, ...inquiryInput.shape });

export type InquiryRecord = z.infer<typeof inquiryRecord>;

/** A page of inquiries, with how many there are in each place. */
export const inquiryPage = z.extend(pageOf(inquiryRecord), { counts: submissionCounts });

export type InquiryPage = z.infer<typeof inquiryPage>;

/** Answer to `POST /api/contact`, status 201. */
export const inquiryReceipt = z.object({
  success: z.literal(true),
  id: z.string(),
  reference: z.string(),
});

export type InquiryReceipt = z.infer<typeof inquiryReceipt>;

/** Subject of the admin's reply by mail (spec §2, Contact Submissions tab). */
export const replySubject = 'Re: NetSuite Consultation Request';
