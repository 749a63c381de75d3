import * as z from 'zod/mini';

/** Response of `POST /api/career-application`, status 201. */
export const applicationReceipt = z.object({
  success: z.boolean(),
  /** True if a mail server accepted the email to HR before the API responded. */
  emailSent: z.boolean(),
  /** One sentence for the applicant about the next step. */
  message: z.string(),
  reference: z.string(),
});

export type ApplicationReceipt = z.infer<typeof applicationReceipt>;

/** Returns the success message for an applicant. */
export function applicationOutcome(emailSent: boolean): string {
  return emailSent
    ? "We've sent your application to our HR team and will get back to you soon."
    : "Your application has been saved. We'll review it and get back to you soon.";
}
