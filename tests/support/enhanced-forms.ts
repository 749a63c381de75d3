import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { FormSent, enhanceForm } from '../../src/lib/forms/enhance.ts';
import { type PageOptions, useBrowser } from './browser.ts';
import { bundle } from './bundle.ts';
import { type ContactServer, startContactServer } from './contact-page.ts';

declare global {
  interface Window {
    enhanceForm: typeof enhanceForm;
    sent: FormSent[];
  }
}

export const inquiry = {
  fullName: 'Ada Ledger',
  email: 'ada@example.com',
  company: 'Ledger & Co',
  serviceInterest: 'implementation',
  message: 'We need help with our books.',
};
type Inquiry = typeof inquiry;

/** Provides a page with both contact forms, and a server that receives their submissions. Call it once in a file. */
export function useEnhancedForms() {
  const browser = useBrowser();
  let server: ContactServer;
  beforeAll(async () => {
    server = await startContactServer(
      await bundle("import { enhanceForm } from '/src/lib/forms/enhance.ts'; window.enhanceForm = enhanceForm;"),
    );
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.received.length = 0;
    server.stored.clear();
    server.moods.length = 0;
  });
  return {
    browser,
    get server() {
      return server;
    },
    ready: async (options: PageOptions = {}, address = '/') => {
      const page = await browser.newPage({ baseURL: server.url, ...options });
      await page.goto(address);
      await enhance(page);
      return { page, section: page.locator('#form form'), panel: page.locator('#panel form') };
    },
  };
}

/** Runs `enhanceForm` on the forms of a page, and records each `form:sent` event in `window.sent`. */
export async function enhance(page: Page): Promise<void> {
  await page.addScriptTag({ url: '/lib.js', type: 'module' });
  await page.evaluate(() => {
    for (const form of document.forms) window.enhanceForm(form);
    window.sent = [];
    document.addEventListener('form:sent', (event) => window.sent.push((event as CustomEvent<FormSent>).detail));
  });
}

export const field = (form: Locator, name: keyof Inquiry): Locator => form.locator(`[name=${name}]`);
export const send = (form: Locator): Locator => form.locator('button[type=submit]');
export const toastOf = (page: Page): Locator => page.locator('[data-toast]:popover-open');
export const messageAt = (form: Locator, name: keyof Inquiry): Locator => form.locator(`[data-error-for=${name}]`);

export async function fill(form: Locator, values: Partial<Inquiry> = inquiry): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const control = field(form, name as keyof Inquiry);
    if (name === 'serviceInterest') await control.selectOption(value);
    else await control.fill(value);
  }
}

export async function valuesOf(form: Locator): Promise<Record<string, string>> {
  return form.evaluate((element: HTMLFormElement) =>
    Object.fromEntries(
      [...new FormData(element)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    ),
  );
}

export async function textsOf(toast: Locator): Promise<string[]> {
  await toast.waitFor();
  return toast.locator('p').allTextContents();
}
