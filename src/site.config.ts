export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
type Weekday = (typeof weekdays)[number];

/**
 * Everything about the firm, in one place. Nothing of it is repeated elsewhere: pages, emails,
 * structured data and the policies all read it from here.
 *
 * The values below are made up. An owner puts the real ones into `site.json` in the project's folder, which no release
 * contains, so an upgrade never conflicts with them. It holds the same keys as {@link defaults}; a key that it leaves out
 * keeps the value below. Every build and every start checks the result (netlify/server/site-details.ts), and a
 * production build names each value that is still made up; see {@link placeholderFields}.
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
    /** The state's abbreviation, for the postal address. */
    readonly region: string;
    /** The state's name, for sentences. */
    readonly regionName: string;
    readonly postalCode: string;
    readonly country: string;
  };
  /** Center of the area served, in degrees, and its radius in meters, for search engines. */
  readonly serviceArea: { readonly latitude: number; readonly longitude: number; readonly radius: number };
  /** When the office answers; times as `09:00`, in {@link timeZone}. */
  readonly hours: {
    readonly from: Weekday;
    readonly to: Weekday;
    readonly opens: string;
    readonly closes: string;
  };
  /**
   * External profiles. The firm is made up, so it has none. An owner adds theirs, LinkedIn first:
   * `{ label: 'LinkedIn', url: 'https://www.linkedin.com/company/…' }`. An entry without `url` is printed as plain text.
   */
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

const defaults: SiteConfig = {
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
    regionName: 'California',
    postalCode: '90503',
    country: 'US',
  },
  serviceArea: { latitude: 33.8358, longitude: -118.3406, radius: 50_000 },
  hours: { from: 'Monday', to: 'Friday', opens: '09:00', closes: '17:00' },
  social: [
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

/** What `site.json` holds, put here by the build. Code that runs unbundled, on one machine, reads the file. */
declare const OWN_SITE_DETAILS: Record<string, unknown> | undefined;

const own = typeof OWN_SITE_DETAILS === 'undefined' ? readOwnDetails() : OWN_SITE_DETAILS;

export const site = withOwn(defaults, own) as SiteConfig;

/** What `site.json` in the working folder holds; nothing where there is none. @throws where it is no JSON object. */
export function readOwnDetails(): Record<string, unknown> {
  // Not an import: this module is part of the browser's code too.
  const { readFileSync } = globalThis.process?.getBuiltinModule?.('node:fs') ?? {};
  let text: string | undefined;
  try {
    text = readFileSync?.('site.json', 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`site.json is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** An object such as the address is completed; a list or a single value is replaced. */
function withOwn(base: object, given: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(given)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `tel:` address of a printed US number: digits only, with the country code. */
export function phoneHref(printed: string): string {
  return `tel:+1${printed.replace(/\D/g, '')}`;
}

/** `Monday to Friday`. */
export function officeDays({ hours: { from, to } }: SiteConfig = site): string {
  return from === to ? from : `${from} to ${to}`;
}

/** `Monday to Friday, 9 a.m.–5 p.m. Pacific`. */
export function officeHours(config: SiteConfig = site): string {
  const { hours, timeZone } = config;
  const zone = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace(/ Time$/, '');
  return `${officeDays(config)}, ${clock(hours.opens)}–${clock(hours.closes)} ${zone ?? timeZone}`;
}

/** `Mo-Fr 09:00-17:00`, as schema.org writes opening hours. */
export function openingHours({ hours: { from, to, opens, closes } }: SiteConfig = site): string {
  const days = from === to ? from.slice(0, 2) : `${from.slice(0, 2)}-${to.slice(0, 2)}`;
  return `${days} ${opens}-${closes}`;
}

/** `09:30` as `9:30 a.m.`. */
function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? 'a.m.' : 'p.m.'}`;
}

/** Texts of `content/` may name what stands in this file: `{officeHours}`, `{city}`, `{state}`. */
export function withFirmDetails(text: string): string {
  return text
    .replaceAll('{officeHours}', officeHours())
    .replaceAll('{city}', site.address.city)
    .replaceAll('{state}', site.address.regionName);
}

/** Names of the fields that still hold made-up values, for the build's warning. */
export function placeholderFields(config: SiteConfig): string[] {
  const fictional = /\.example\b|-example\b|555-01\d\d|\bSouthbay ERP\b|^21250 Hawthorne/;
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
