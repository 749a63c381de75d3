import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { type InquiryInput, inquiryInput, serviceInterestOf } from '../../domain/inquiry.ts';
import { submissionMarks } from '../../domain/submission.ts';
import { identify, nameParts, trackEvent } from '../analytics.ts';
import { request } from '../api.ts';
import type { FormDefinition } from './definition.ts';

const description = "We'll be in touch with you shortly.";
const later = 'Please try again later.';

/** All that an accepted inquiry must say. A page of a Wi-Fi portal does not say it, so no inquiry is lost there. */
const accepted = z.object({ success: z.literal(true), reference: z.optional(z.string()) });

/** The contact form, as a section of a page and inside the floating widget (spec §5, §8). */
export const contactForm: FormDefinition = {
  fields: Object.keys(inquiryInput.shape),
  schema: inquiryInput,
  marks: submissionMarks,
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
 * Chooses the service that the visitor comes from: the form's `data-service`, `?service=` or the hash of the address,
 * and any `data-service` link or button that is clicked later. A choice made by hand is left alone.
 */
function chooseService(form: HTMLFormElement): void {
  const field = form.elements.namedItem('serviceInterest');
  if (!(field instanceof HTMLSelectElement)) return;
  let chosen = '';
  const choose = (serviceId: string | null | undefined): void => {
    const value = serviceId ? serviceInterestOf(serviceId) : null;
    if (value === null || (field.value !== '' && field.value !== chosen)) return;
    chosen = value;
    field.value = value;
    // No 'input': what the visitor did not type is no draft.
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  choose(form.dataset['service'] ?? new URLSearchParams(location.search).get('service') ?? location.hash.slice(1));
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element) {
      choose(target.closest<HTMLElement>('a[data-service], button[data-service]')?.dataset['service']);
    }
  });
}
