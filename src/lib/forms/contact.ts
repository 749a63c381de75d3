import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { type InquiryInput, inquiryFields } from '../../domain/submissions/inquiry.ts';
import { serviceInterestOf } from '../../domain/submissions/offered-services.ts';
import { identify, nameParts, trackEvent } from '../consent/analytics.ts';
import { request } from '../request/api.ts';
import type { FormDefinition } from './definition.ts';

const description = "We'll be in touch with you shortly.";
const later = 'Please try again later.';

/**
 * Schema of the response to an accepted inquiry. A Wi-Fi sign-in page may answer the request with status 200. Its
 * response does not match the schema, so the visitor sees an error and can send the inquiry again.
 */
const accepted = z.object({ success: z.literal(true), reference: z.optional(z.string()) });

/** The contact form, used in a page section and in the floating widget (docs/product.md#contact-form). */
export const contactForm: FormDefinition = {
  fields: inquiryFields,
  send: async (body, _file, { key }) => {
    const headers = { 'idempotency-key': key };
    const { reference } = await request(apiPaths.contact, { body, headers, schema: accepted });
    return { reference };
  },
  analytics: {
    sent: (values) => {
      const { fullName, email, company, serviceInterest, message } = values as InquiryInput;
      identify({ email, ...nameParts(fullName), company, service_interest: serviceInterest, message });
      trackEvent('contact_form_submission', { service_interest: serviceInterest });
    },
    failed: () => trackEvent('contact_form_error'),
  },
  variants: {
    section: {
      success: { title: 'Form submitted successfully!', description },
      failure: { title: 'Submission failed', description: later },
      describesError: true,
    },
    floating: {
      incomplete: { title: 'Please fill in all fields', description: 'All fields are required to submit the form.' },
      success: { title: 'Message sent successfully!', description },
      failure: { title: 'Failed to send message', description: later },
      describesError: false,
    },
  },
  prepare: chooseService,
};

/**
 * Selects the service that the form's `data-service`, the `service` query parameter or the URL's hash names. Never
 * replaces a service that the visitor selected.
 */
function chooseService(form: HTMLFormElement): void {
  const field = form.elements.namedItem('serviceInterest');
  if (!(field instanceof HTMLSelectElement) || field.value !== '') return;
  const id = form.dataset['service'] ?? new URLSearchParams(location.search).get('service') ?? location.hash.slice(1);
  // Dispatches no event, because a value that the visitor did not enter must not be saved as a draft.
  field.value = serviceInterestOf(id) ?? '';
}
