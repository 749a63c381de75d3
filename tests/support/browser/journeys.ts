import { type Page, type PageOptions, useEngine } from './person.ts';
import { useSite } from '../host/site.ts';

/** The mailbox for applications. */
const hr = 'hr@firm.example';

/** Provides a site, and pages for visitors in the browser that the project is named after. Call it once in a file. */
export function useVisitors() {
  const browser = useEngine();
  const site = useSite({ HR_EMAIL: hr });
  const newVisitor = async (path: string, options: PageOptions = {}): Promise<Page> => {
    const page = await browser.newPage({ baseURL: site.url, ...options });
    await page.goto(path);
    return page;
  };
  return {
    site,
    hr,
    newVisitor,
    /** Opens a page as a visitor who answered the cookie banner on an earlier visit. */
    visit: (path: string, options: PageOptions = {}) =>
      newVisitor(path, { cookies: [{ name: 'cookies-accepted', value: 'declined' }], ...options }),
    emailTo: (address: string, words: string) =>
      site.mail.waitFor(({ envelope, subject }) => envelope.to.includes(address) && (subject ?? '').includes(words)),
  };
}

export const focusedLabel = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
export const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);
export const notice = (page: Page) => page.locator('[data-toast]:popover-open');
