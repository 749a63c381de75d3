/**
 * Everything about the firm, in one place. Nothing of it is repeated elsewhere: pages, mails,
 * structured data and the policies all read it from here.
 *
 * The values below are reserved for fiction (a 555 number, an `.example` address). A production
 * build that still holds them prints a warning naming each one; see {@link placeholderFields}.
 */
export interface SiteConfig {
  /** The name that visitors see. */
  readonly name: string;
  /** The registered name, for the footer, the terms and the privacy policy. */
  readonly legalName: string;
  /** One sentence: what the firm does. Shown in the footer (spec §2). */
  readonly tagline: string;
  /** As printed; {@link phoneHref} makes it dialable. */
  readonly phone: string;
  readonly email: string;
  readonly hrEmail: string;
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly region: string;
    readonly postalCode: string;
    readonly country: string;
  };
  /** External profiles. An entry without `url` is printed as plain text until an owner sets it. */
  readonly social: readonly { readonly label: string; readonly url: string | null }[];
  /** Articles are signed by title, never by an invented personal name. */
  readonly president: { readonly name: string | null; readonly title: string };
  /** Where a free demo is booked. `null` leads to the contact page instead. */
  readonly bookingUrl: string | null;
  /**
   * The demo of the MCP guide: the address that plays it in a frame, and the one that shows it on its own. `null` shows a
   * drawing and the transcript; only a configured video's host is allowed to be framed.
   */
  readonly demoVideo: { readonly title: string; readonly embedUrl: string; readonly watchUrl: string } | null;
  /** HubSpot account id. `null`: no tracking script is ever loaded. */
  readonly analyticsId: string | null;
  /** Public address of the site; the `SITE_URL` of the environment wins at build time. */
  readonly url: string;
  /** Zone in which public dates are shown. */
  readonly timeZone: string;
  /**
   * Years after which an application is deleted by itself, resume and all, as the privacy policy promises. Four are the
   * least: California asks for them (Government Code section 12946).
   */
  readonly applicationsKeptYears: 4 | 5 | 6 | 7 | 8 | 9 | 10;
}

export const site: SiteConfig = {
  name: 'Southbay ERP',
  legalName: 'Southbay ERP Consulting, Inc.',
  tagline: 'We transform businesses through expert NetSuite implementations, custom development and ongoing support.',
  phone: '(310) 555-0142',
  email: 'hello@southbay-erp.example',
  hrEmail: 'careers@southbay-erp.example',
  address: {
    street: '21250 Hawthorne Boulevard',
    city: 'Torrance',
    region: 'CA',
    postalCode: '90503',
    country: 'US',
  },
  social: [
    { label: 'LinkedIn', url: 'https://www.linkedin.com/company/southbay-erp-example' },
    { label: 'X', url: null },
    { label: 'Facebook', url: null },
  ],
  president: { name: null, title: 'President, Southbay ERP' },
  bookingUrl: null,
  demoVideo: null,
  analyticsId: null,
  url: 'https://southbay-erp.example',
  timeZone: 'America/Los_Angeles',
  applicationsKeptYears: 4,
};

/** `tel:` address of a printed US number: digits only, with the country code. */
export function phoneHref(printed: string): string {
  return `tel:+1${printed.replace(/\D/g, '')}`;
}

/** Names of the fields that still hold fiction (`.example`, a 555-01xx number), for the build's warning. */
export function placeholderFields(config: SiteConfig): string[] {
  const fictional = /\.example\b|-example\b|555-01\d\d/;
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      if (fictional.test(value)) found.push(path);
    } else if (value !== null && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key);
    }
  };
  walk(config, '');
  return found;
}
