import type { InquiryInput } from '../../../src/domain/submissions/inquiry.ts';
import type { Finder, Found } from '../browser/person.ts';
import { anInquiry } from './inquiries.ts';

/** Returns the parts of the contact form: that of a section, or that of the panel, which floats. */
export function inquiryForm<Element extends Found<Element>>(
  page: Finder<Element>,
  variant: 'section' | 'floating' = 'section',
) {
  const form = page.locator(`form[data-variant=${variant}]`);
  const field = (name: string) => form.locator(`[name=${name}]`);
  const sendButton = form.locator('[type=submit]');
  return {
    form,
    field,
    sendButton,
    enhanced: () => page.locator(`form[data-variant=${variant}][data-enhanced]`).waitFor(),
    errorAt: (name: string) => form.locator(`[data-error-for=${name}]`),
    reference: async () => (await form.locator('[data-receipt-reference]').textContent()) ?? '-',
    send: () => sendButton.click(),
    /** Fills in these fields. */
    fill: async (values: Partial<InquiryInput> = anInquiry()) => {
      for (const [name, value] of Object.entries(values)) {
        if (name === 'serviceInterest') await field(name).selectOption(value);
        else await field(name).fill(value);
      }
    },
  };
}

/** Waits before sending. The site treats a form that is sent within two seconds after opening the page as spam. */
export const readAWhile = (page: { waitForFunction(ask: () => boolean): Promise<unknown> }) =>
  page.waitForFunction(() => performance.now() > 2_100);
