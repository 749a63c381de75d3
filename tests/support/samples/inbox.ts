import type { Page } from 'playwright';
import { beforeAll, expect } from 'vitest';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import type { InquiryReceipt, InquiryRecord } from '../../../src/domain/submissions/inquiry.ts';
import { type PageOptions, useBrowser } from '../browser/browser.ts';
import { anInquiry } from './inquiries.ts';
import type { Finder, Found } from '../browser/person.ts';
import { sendJson } from '../host/ask.ts';
import { sessionToken } from '../host/host-process.ts';
import { type Site, useSite } from '../host/site.ts';

/** Returns the browser's console message about a response with this status. */
export const answered = (status: number) => `the server responded with a status of ${status}`;

/** Sends an inquiry as the contact form does. */
export async function send(site: Site, changes: Parameters<typeof anInquiry>[0] = {}): Promise<InquiryReceipt> {
  return (await fetch(`${site.url}/api/contact`, sendJson(anInquiry(changes)))).json();
}

/** Fills in and sends the sign-in form of a page or a dialog. Waits for the form's script first. */
export async function signIn<Element extends Found<Element>>(site: Site, within: Finder<Element>): Promise<void> {
  await within.getByRole('button', { name: 'Show password' }).waitFor();
  await within.getByLabel('Email').fill(site.admin.email);
  await within.getByLabel('Password', { exact: true }).fill(site.admin.password);
  await within.getByRole('button', { name: 'Sign in' }).click();
}

export type Session = Awaited<ReturnType<typeof startSession>>;

/**
 * Signs in and returns Playwright's storage state with the session cookie. Checking a password is slow on purpose, so
 * many pages share one session.
 */
export async function startSession(site: Pick<Site, 'url' | 'admin'>, admin = site.admin) {
  const value = await sessionToken(site, admin);
  const cookie = { name: 'session', value, domain: new URL(site.url).hostname, path: '/', expires: -1, secure: false };
  return { cookies: [{ ...cookie, httpOnly: true, sameSite: 'Lax' as const }], origins: [] };
}

/** Provides one session for all tests of a file. Call it once, after `useSite`. */
export function useSession(site: Site): Session {
  const session: Session = { cookies: [], origins: [] };
  beforeAll(async () => void Object.assign(session, await startSession(site)));
  return session;
}

/** Returns the `Cookie` header of a session. */
export const cookieOf = (session: Pick<Session, 'cookies'>): string =>
  session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');

/** Returns a function that calls the API as a signed-in admin in another client. @throws unless the answer is a success. */
export const adminCall =
  (site: Pick<Site, 'url'>, session: Session) =>
  async (path: string, method = 'GET', body?: object) => {
    const isForm = body instanceof FormData;
    const response = await fetch(site.url + path, {
      method,
      headers: {
        ...{ cookie: cookieOf(session), origin: site.url },
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()).data;
  };

/** Waits until the emails or the chat message about an inquiry, which a search finds, have these states. */
export const delivered = (
  call: ReturnType<typeof adminCall>,
  q: string,
  states: Partial<Record<keyof InquiryRecord['delivery'], string>>,
) =>
  expect
    .poll(async () => (await call(`${apiPaths.inquiries.list}?q=${encodeURIComponent(q)}`))[0].delivery)
    .toMatchObject(Object.fromEntries(Object.entries(states).map(([to, status]) => [to, { status }])));

/** Opens a page as an admin who is already signed in. */
export function signedIn<Opened>(
  browser: { newPage(options: PageOptions): Promise<Opened> },
  site: Site,
  session: Session,
  options: PageOptions = {},
): Promise<Opened> {
  return browser.newPage({
    baseURL: site.url,
    timezoneId: 'America/New_York',
    cookies: session.cookies,
    ...options,
  });
}

export const inboxPath = '/admin?tab=submissions';

/** Opens the dashboard and waits for the list, even if the list is empty. */
export async function visitInbox<Element extends Found<Element>>(
  page: Finder<Element> & { goto(path: string): Promise<unknown> },
  path = inboxPath,
): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/** Provides a site, an admin's session, and pages of this admin. Call it once in a file. */
export function useAdmin(variables: Record<string, string> = {}) {
  const browser = useBrowser();
  const site = useSite(variables);
  const session = useSession(site);
  const open = async (path: string, options: PageOptions = {}): Promise<Page> => {
    const page = await signedIn(browser, site, session, options);
    await page.goto(path);
    return page;
  };
  return { browser, site, session, open, call: adminCall(site, session) };
}

/** Provides what {@link useAdmin} provides, and pages with the inbox. */
export function useInbox() {
  const admin = useAdmin();
  const openInbox = async (path = inboxPath, options: PageOptions = {}): Promise<Page> => {
    const page = await signedIn(admin.browser, admin.site, admin.session, options);
    await visitInbox(page, path);
    return page;
  };
  return { ...admin, openInbox };
}

const rows = <Element extends Found<Element>>(page: Finder<Element>) =>
  page.getByRole('table', { name: 'Inquiries' }).locator('tbody tr');

export const inbox = {
  rows,
  row: <Element extends Found<Element>>(page: Finder<Element>, name: string) => rows(page).filter({ hasText: name }),
  /** The open inquiry, which is a panel, or a dialog on a small screen. */
  opened: <Element extends Found<Element>>(page: Finder<Element>, name: string) =>
    page.locator('section, dialog').filter({ has: page.getByRole('heading', { level: 2, name }) }),
  notice: <Element extends Found<Element>>(page: Finder<Element>) => page.locator('[data-toast]:popover-open'),
};
