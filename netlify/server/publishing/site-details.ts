import * as z from 'zod/mini';
import { placeholderFields, site, type SiteConfig, weekdays } from '../../../src/site.config.ts';

const words = z.string('must be text').check(z.trim(), z.minLength(1, 'must not be empty'));
const email = z.email('must be an email address such as hello@example.com');
const https = z
  .url({ error: 'must be an address such as https://www.example.com' })
  .check(z.refine((value) => /^https:\/\/[^/]/.test(value), 'must begin with https://'));
const degrees = (most: number) => {
  const error = `must be a number from -${most} to ${most}`;
  return z.number(error).check(z.gte(-most, error), z.lte(most, error));
};
const time = z.string('must be text').check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00'));
const day = z.enum(weekdays, `must be one of ${weekdays.join(', ')}`);
const years = [4, 5, 6, 7, 8, 9, 10] as const;

/** Claims on the pages that only the firm can confirm. docs/promises.md explains each of them. */
const firmPromises = [
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

/**
 * Exactly the keys of `SiteConfig`. An unknown key is an error, because a misspelled key would leave the default value
 * in effect.
 */
const siteDetails = z.strictObject({
  name: words,
  legalName: words,
  tagline: words,
  phone: z
    .string('must be text')
    .check(
      z.refine(
        (value) => /^[\d\s().-]+$/.test(value) && value.replace(/\D/g, '').length === 10,
        'must be a US number with 10 digits, such as (310) 555-0142',
      ),
    ),
  email,
  hrEmail: email,
  address: z.strictObject({
    street: words,
    city: words,
    region: z.string('must be text').check(z.regex(/^[A-Z]{2}$/, 'must be the two letters of a state, such as CA')),
    regionName: words,
    postalCode: z.string('must be text').check(z.regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code such as 90503')),
    country: z.string('must be text').check(z.regex(/^[A-Z]{2}$/, 'must be the two letters of a country, such as US')),
  }),
  serviceArea: z.strictObject({
    latitude: degrees(90),
    longitude: degrees(180),
    radius: z.number('must be a number of meters').check(z.gt(0, 'must be a number of meters above 0')),
  }),
  hours: z.strictObject({ from: day, to: day, opens: time, closes: time }).check(
    z.refine(({ opens, closes }) => opens < closes, { error: 'must be later than opens', path: ['closes'] }),
    z.refine(({ from, to }) => weekdays.indexOf(from) <= weekdays.indexOf(to), {
      error: 'must not be a day before from',
      path: ['to'],
    }),
  ),
  social: z.array(z.strictObject({ label: words, url: z.nullable(https) }), 'must be a list'),
  president: z.strictObject({ name: z.nullable(words), title: words }),
  bookingUrl: z.nullable(https),
  demoVideo: z.nullable(z.strictObject({ title: words, embedUrl: https, watchUrl: https })),
  analyticsId: z.nullable(
    z
      .string('must be text')
      .check(z.regex(/^\d{1,12}$/, 'must be the number of a HubSpot account, in quotation marks')),
  ),
  url: https,
  timeZone: z
    .string('must be text')
    .check(z.refine((value) => isTimeZone(value), 'must be a time zone such as America/Los_Angeles')),
  applicationsKeptYears: z.literal(years, {
    error: 'must be a whole number from 4 to 10: California requires at least four years',
  }),
  confirmedPromises: z.array(
    z.enum(firmPromises, `must be one of ${firmPromises.join(', ')} (docs/promises.md)`),
    'must be a list of promises',
  ),
});

// Does not compile if the schema lacks a key of `SiteConfig`.
true satisfies keyof SiteConfig extends keyof z.infer<typeof siteDetails> ? true : never;

/** Returns the claims on the pages that the owner has not confirmed. */
export function unconfirmedPromises({ confirmedPromises }: Pick<SiteConfig, 'confirmedPromises'>): string[] {
  return firmPromises.filter((promise) => !confirmedPromises.includes(promise));
}

/** Returns what the owner should do before the site is public. */
export function ownerWarnings(details: SiteConfig = site): string[] {
  const madeUp = placeholderFields(details).join(', ');
  const unconfirmed = unconfirmedPromises(details).join(', ');
  return [
    ...(madeUp ? [`These details of the firm are still placeholders: ${madeUp}. Enter your own in site.json.`] : []),
    ...(unconfirmed
      ? [`The pages make promises that you have not confirmed: ${unconfirmed}. See docs/promises.md.`]
      : []),
  ];
}

/** The firm's details are invalid. The message names each key and what to write. */
export class SiteDetailsError extends Error {
  override readonly name = 'SiteDetailsError';
}

/**
 * Validates the firm's details before the site is built or served.
 * @throws {SiteDetailsError}
 */
export function checkSiteDetails(details: object = site): void {
  if ('unreadable' in details) {
    throw new SiteDetailsError(`site.json ${String(details.unreadable)}`);
  }
  const { error } = siteDetails.safeParse(details);
  if (!error) return;
  const problems = error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [`${path} ${issue.message}`];
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key} is unknown; ${knownKeys(path)}`);
  });
  throw new SiteDetailsError(
    `The firm's details in site.json or src/site.config.ts are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  );
}

function knownKeys(path: string): string {
  let here: unknown = site;
  for (const step of path ? path.split('.') : []) here = (here as Record<string, unknown>)[step];
  const shape = path === '' ? Object.keys(siteDetails.shape) : Object.keys((here as object | null) ?? {});
  return `the keys are ${shape.join(', ')}`;
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
