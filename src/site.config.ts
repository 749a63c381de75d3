import type { SiteConfig } from './domain/site/site-details.ts';

/**
 * The details of the firm. Pages, emails, structured data and the policies read them from {@link site}, and
 * src/domain/site/site-details.ts describes them.
 *
 * The values below are fictional. The owner puts the real values into `site.json` in the project's folder. No
 * release contains `site.json`, so an upgrade never overwrites it. `site.json` has the same keys as {@link defaults};
 * a missing key keeps the value below. Every build and every server start checks the result
 * (netlify/server/publishing/site-details.ts). A production build also warns about values that are still fictional
 * (`placeholderFields`).
 */
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
  applicationsKeptYears: 5,
  confirmedPromises: [],
};

/**
 * The content of `site.json`, which the build inserts. Unbundled code on the self-hosted server reads the file instead.
 */
declare const OWN_SITE_DETAILS: Record<string, unknown> | undefined;

const own = typeof OWN_SITE_DETAILS === 'undefined' ? readOwnDetails() : OWN_SITE_DETAILS;

export const site = withOwn(defaults, own) as SiteConfig;

/**
 * Reads `site.json` in the working folder.
 * @returns an empty object if there is no such file. If the file cannot be read, the object has the reason in the key
 * `unreadable`, and `checkSiteDetails` refuses it. An error here would reach the owner as a stack trace, because every
 * command loads this module first.
 */
export function readOwnDetails(): Record<string, unknown> {
  // Browsers have no `node:fs`, so importing it would break the browser bundle, which includes this module.
  const { readFileSync } = globalThis.process?.getBuiltinModule?.('node:fs') ?? {};
  try {
    const own: unknown = JSON.parse(readFileSync?.('site.json', 'utf8') ?? '{}');
    return isObject(own) ? (own as Record<string, unknown>) : { unreadable: 'must contain an object: { … }' };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === 'ENOENT') return {};
    return { unreadable: `${code ? 'cannot be read' : 'is not valid JSON'}: ${message}` };
  }
}

/** Merges `given` into `base`. Objects such as `address` are merged by key; lists and single values are replaced. */
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

/** Returns the `tel:` URL of a US phone number: digits only, with the country code. */
export function phoneHref(printed: string): string {
  return `tel:+1${printed.replace(/\D/g, '')}`;
}

/** Returns a text such as `Monday to Friday`. */
export function officeDays({ hours: { from, to } }: SiteConfig = site): string {
  return from === to ? from : `${from} to ${to}`;
}

/** Returns a text such as `Monday to Friday, 9 a.m.–5 p.m. Pacific`. */
export function officeHours(config: SiteConfig = site): string {
  const { hours, timeZone } = config;
  const zone = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace(/ Time$/, '');
  return `${officeDays(config)}, ${clock(hours.opens)}–${clock(hours.closes)} ${zone ?? timeZone}`;
}

/** Returns the opening hours in the format of schema.org, such as `Mo-Fr 09:00-17:00`. */
export function openingHours({ hours: { from, to, opens, closes } }: SiteConfig = site): string {
  const days = from === to ? from.slice(0, 2) : `${from.slice(0, 2)}-${to.slice(0, 2)}`;
  return `${days} ${opens}-${closes}`;
}

/** Converts a time such as `09:30` to `9:30 a.m.`, which cannot break at the end of a line. */
function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${minutes}\u00a0${hour < 12 ? 'a.m.' : 'p.m.'}`;
}

/** Replaces the placeholders `{officeHours}`, `{city}` and `{state}` in a text of `content/`. */
export function withFirmDetails(text: string): string {
  return (
    text
      // Passes a function, because finding the time zone's name takes a millisecond and most texts don't need the name.
      .replaceAll('{officeHours}', () => officeHours())
      .replaceAll('{city}', site.address.city)
      .replaceAll('{state}', site.address.regionName)
  );
}

/** Returns the names of the fields that still have fictional values, for the build's warning. */
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
