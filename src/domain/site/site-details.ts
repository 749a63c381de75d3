import * as z from 'zod/mini';

const words = z.string('must be text').check(z.trim(), z.minLength(1, 'must not be empty'));
/** Returns the schema of a text that must match `pattern`. `expected` completes the error message "must be …". */
const matching = (pattern: RegExp, expected: string) =>
  z.string('must be text').check(z.regex(pattern, `must be ${expected}`));
const email = z.email('must be an email address such as hello@example.com');
const https = z
  .url({ error: 'must be a URL such as https://www.example.com' })
  .check(z.refine((value) => /^https:\/\/[^/]/.test(value), 'must begin with https://'));
const degrees = (most: number) => {
  const error = `must be a number from -${most} to ${most}`;
  return z.number(error).check(z.gte(-most, error), z.lte(most, error));
};
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 09:00');
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const weekday = z.enum(weekdays, `must be one of ${weekdays.join(', ')}`);
const years = [4, 5, 6, 7, 8, 9, 10] as const;

/** Claims on the pages that only the firm can confirm. docs/promises.md explains each of them. */
export const firmPromises = [
  'rescue-response',
  'emergency-response',
  'success-rate',
  'experience',
  'assessment',
  'durations',
  'certifications',
  'example-results',
  'replies',
  'privacy-requests',
  'equal-opportunity',
  'pay-range',
  'independence',
  'ways-of-working',
] as const;

const promiseList = z.array(
  z.enum(firmPromises, `must be one of ${firmPromises.join(', ')} (docs/promises.md)`),
  'must be a list of promises',
);

/** The promises that a file of `content` makes, so an editor of the file knows which words the firm has to confirm. */
export const promisesMade = z._default(promiseList, []);

/**
 * All details of the firm. An unknown key is an error, because a misspelled key would leave the default value in
 * effect. Each error message follows the name of its key.
 */
export const siteDetails = z.strictObject({
  /** The name that visitors see. */
  name: words,
  /** The registered name, for the footer, the terms and the privacy policy. */
  legalName: words,
  /** One sentence about what the firm does, for the footer. */
  tagline: words,
  /** The phone number as pages show it; `phoneHref` converts it to a link. */
  phone: matching(/^[\s().-]*(\d[\s().-]*){10}$/, 'a US number with 10 digits, such as (310) 555-0142'),
  email,
  hrEmail: email,
  address: z.strictObject({
    street: words,
    city: words,
    /** The state's abbreviation, for the postal address. */
    region: matching(/^[A-Z]{2}$/, 'the two letters of a state, such as CA'),
    /** The state's name, for sentences. */
    regionName: words,
    postalCode: matching(/^\d{5}(-\d{4})?$/, 'a ZIP code such as 90503'),
    country: matching(/^[A-Z]{2}$/, 'the two letters of a country, such as US'),
  }),
  /** Center of the service area in degrees, and its radius in meters, for search engines. */
  serviceArea: z.strictObject({
    latitude: degrees(90),
    longitude: degrees(180),
    radius: z.number('must be a number of meters').check(z.gt(0, 'must be a number of meters above 0')),
  }),
  /** Office hours; times such as `09:00`, in `timeZone`. */
  hours: z.strictObject({ from: weekday, to: weekday, opens: time, closes: time }).check(
    z.refine(({ opens, closes }) => opens < closes, { error: 'must be later than opens', path: ['closes'] }),
    z.refine(({ from, to }) => weekdays.indexOf(from) <= weekdays.indexOf(to), {
      error: 'must not be earlier in the week than "from"',
      path: ['to'],
    }),
  ),
  /**
   * External profiles. The fictional firm has none. The owner adds the firm's profiles, LinkedIn first:
   * `{ label: 'LinkedIn', url: 'https://www.linkedin.com/company/…' }`. If `url` is null, pages show plain text.
   */
  social: z.array(z.strictObject({ label: words, url: z.nullable(https) }), 'must be a list'),
  /** The author of some articles. Without a `name`, articles show only the title, never an invented name. */
  president: z.strictObject({ name: z.nullable(words), title: words }),
  /** URL for booking a free demo. If null, booking links lead to the contact page. */
  bookingUrl: z.nullable(https),
  /**
   * The video in the MCP guide: `embedUrl` plays it in a frame, and `watchUrl` opens it on its own page. If null, the
   * guide shows a drawing and the transcript. The Content-Security-Policy allows frames only from the host of
   * `embedUrl`.
   */
  demoVideo: z.nullable(z.strictObject({ title: words, embedUrl: https, watchUrl: https })),
  /** HubSpot account id. If null, the site never loads a tracking script. */
  analyticsId: z.nullable(matching(/^\d{1,12}$/, 'the number of a HubSpot account, in quotation marks')),
  /** Public URL of the site. The environment variable `SITE_URL` overrides it during a build. */
  url: https,
  /** IANA time zone for public dates. */
  timeZone: z
    .string('must be text')
    .check(z.refine((value) => isTimeZone(value), 'must be a time zone such as America/Los_Angeles')),
  /**
   * Years after which the site deletes an application and its resume, as the privacy policy promises. California
   * requires four years, counted from receipt and again from the employment decision (Government Code section 12946).
   * The default of five leaves a year for the decision.
   */
  applicationsKeptYears: z.literal(years, {
    error: 'must be a whole number from 4 to 10: California requires at least four years',
  }),
  /** Ids from docs/promises.md of the promises that the firm confirms. A production build warns about all others. */
  confirmedPromises: promiseList,
});

export type SiteConfig = z.infer<typeof siteDetails>;

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
