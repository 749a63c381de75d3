import type { Finder, Found } from '../browser/person.ts';
import { anInquiry } from './inquiries.ts';

/** Returns the parts of the contact form: that of a section, or that of the panel, which floats. */
export function inquiryForm<Element extends Found<Element>>(
  page: Finder<Element>,
  variant: 'section' | 'floating' = 'section',
) {
  const form = page.locator(`form[data-variant=${variant}]`);
  const field = (name: string) => form.locator(`[name=${name}]`);
  return {
    form,
    field,
    enhanced: () => page.locator(`form[data-variant=${variant}][data-enhanced]`).waitFor(),
    errorAt: (name: string) => form.locator(`[data-error-for=${name}]`),
    reference: async () => (await form.locator('[data-receipt-reference]').textContent()) ?? '-',
    send: () => form.locator('[type=submit]').click(),
    /** @param changes a field whose value is undefined is not filled in. */
    fill: async (changes: Parameters<typeof anInquiry>[0] = {}) => {
      const { serviceInterest, ...texts } = anInquiry(changes);
      for (const [name, text] of Object.entries(texts)) if (text) await field(name).fill(text);
      if (serviceInterest) await field('serviceInterest').selectOption(serviceInterest);
    },
  };
}

/** Waits before sending. The site treats a form that is sent within two seconds after opening the page as spam. */
export const readAWhile = (page: { waitForFunction(ask: () => boolean): Promise<unknown> }) =>
  page.waitForFunction(() => performance.now() > 2_100);
