import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { firmPromises } from '../../../src/domain/site/site-details.ts';
import { officeDays, officeHours, openingHours, placeholderFields, site } from '../../../src/site.config.ts';
import { SiteDetailsError, checkSiteDetails, ownerWarnings } from './site-details.ts';

const { email: _, ...withoutEmail } = site;

describe('The firm’s details', () => {
  test('are valid by default', () => {
    expect(() => checkSiteDetails()).not.toThrow();
  });

  test.for([
    [
      { ...withoutEmail, emial: 'hello@firm.example' },
      /- email must be an email address[\s\S]*- emial is unknown; the keys are name, legalName/,
    ],
    [{ ...site, phone: '555-0142' }, 'phone must be a US number with 10 digits'],
    [{ ...site, hrEmail: 'careers' }, 'hrEmail must be an email address'],
    [{ ...site, name: ' ' }, 'name must not be empty'],
    [{ ...site, address: { ...site.address, postalCode: 90_503 } }, 'address.postalCode must be text'],
    [{ ...site, address: { ...site.address, zip: '90503' } }, 'address.zip is unknown; the keys are street, city'],
    [
      { ...site, address: { ...site.address, region: 'California' } },
      'address.region must be the two letters of a state',
    ],
    [{ ...site, hours: { ...site.hours, opens: '9:00' } }, 'hours.opens must be a time such as 09:00'],
    [{ ...site, hours: { ...site.hours, closes: '08:00' } }, 'hours.closes must be later than opens'],
    [{ ...site, hours: { ...site.hours, from: 'Mon' } }, 'hours.from must be one of Monday'],
    [{ ...site, hours: { ...site.hours, from: 'Saturday' } }, 'hours.to must not be earlier in the week than "from"'],
    [
      { ...site, serviceArea: { ...site.serviceArea, latitude: 338 } },
      'serviceArea.latitude must be a number from -90',
    ],
    [{ ...site, url: 'www.firm.example' }, 'url must be a URL such as https://www.example.com'],
    [{ ...site, url: 'http://www.firm.example' }, 'url must begin with https://'],
    [{ ...site, bookingUrl: 'javascript:alert(1)' }, 'bookingUrl must begin with https://'],
    [{ ...site, timeZone: 'Pacific' }, 'timeZone must be a time zone such as America/Los_Angeles'],
    [{ ...site, applicationsKeptYears: 0 }, 'applicationsKeptYears must be a whole number from 4 to 10'],
    [{ ...site, applicationsKeptYears: 4.5 }, 'applicationsKeptYears must be a whole number from 4 to 10'],
    [{ ...site, social: [{ label: 'X', url: 'x.com' }] }, 'social.0.url must be a URL'],
    [{ ...site, confirmedPromises: ['moon'] }, 'must be one of rescue-response, '],
  ] as const)('are refused if they are invalid, with the key and the expected value: %#', ([details, message]) => {
    expect(() => checkSiteDetails(details)).toThrow(SiteDetailsError);
    expect(() => checkSiteDetails(details)).toThrow(message);
  });

  test('that are made up are all named in a production build', () => {
    expect(placeholderFields(site)).toEqual(
      expect.arrayContaining(['name', 'legalName', 'phone', 'email', 'hrEmail', 'address.street', 'url']),
    );
    expect(placeholderFields({ ...site, address: { ...site.address, street: '1 Main Street' } })).not.toContain(
      'address.street',
    );
  });

  test('leave every promise that only the firm can keep unconfirmed, until the owner confirms it', () => {
    const warned = (confirmedPromises: typeof site.confirmedPromises) =>
      ownerWarnings({ ...site, confirmedPromises }).join('\n');
    expect(warned([])).toContain(`not confirmed: ${firmPromises.join(', ')}.`);
    expect(warned(['rescue-response'])).toContain(`not confirmed: ${firmPromises.slice(1).join(', ')}.`);
    expect(warned([...firmPromises])).not.toContain('not confirmed');
    expect(() => checkSiteDetails({ ...site, confirmedPromises: firmPromises })).not.toThrow();
  });

  test('can confirm exactly the promises that at least one file of content names', () => {
    const files = globSync('content/**/*.{json,mdx}');
    const named = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^ *"?promises"?: \[(?<ids>.*)\]/gm),
    ]);
    expect(new Set(named.flatMap(({ groups }) => groups!.ids!.replaceAll('"', '').split(', ')))).toEqual(
      new Set(firmPromises),
    );
  });

  test('contain the office hours as text and in schema.org format', () => {
    expect(officeHours()).toBe('Monday to Friday, 9\u00a0a.m.–5\u00a0p.m. Pacific');
    expect(openingHours()).toBe('Mo-Fr 09:00-17:00');
    const other = {
      ...site,
      timeZone: 'America/New_York',
      hours: { from: 'Tuesday', to: 'Tuesday', opens: '08:30', closes: '12:00' },
    } as const;
    expect(officeHours(other)).toBe('Tuesday, 8:30\u00a0a.m.–12\u00a0p.m. Eastern');
    expect(openingHours(other)).toBe('Tu 08:30-12:00');
    expect(officeDays(other)).toBe('Tuesday');
  });
});
