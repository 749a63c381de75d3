import { type SiteConfig, site } from '../site.config.ts';

/** Center of the area served (Torrance, CA) and its radius in meters (spec §1). */
const serviceArea = { latitude: 33.8358, longitude: -118.3406, radius: 50_000 };

/**
 * What every page says of the firm: organization, website and local business, tied together by stable ids.
 * @param origin the site's public address.
 */
export function firmGraph(origin: URL, firm: SiteConfig = site): object {
  const id = (name: string) => new URL(`/#${name}`, origin).href;
  const address = {
    '@type': 'PostalAddress',
    streetAddress: firm.address.street,
    addressLocality: firm.address.city,
    addressRegion: firm.address.region,
    postalCode: firm.address.postalCode,
    addressCountry: firm.address.country,
  };
  const contact = { telephone: firm.phone, email: firm.email, address };
  const logo = new URL('/favicon.png', origin).href;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': id('organization'),
        name: firm.name,
        legalName: firm.legalName,
        description: firm.tagline,
        url: origin.href,
        logo,
        ...contact,
        sameAs: firm.social.flatMap(({ url }) => url ?? []),
      },
      {
        '@type': 'WebSite',
        '@id': id('website'),
        name: firm.name,
        url: origin.href,
        inLanguage: 'en-US',
        publisher: { '@id': id('organization') },
      },
      {
        '@type': ['LocalBusiness', 'ProfessionalService'],
        '@id': id('business'),
        name: firm.name,
        description: firm.tagline,
        url: origin.href,
        image: logo,
        ...contact,
        parentOrganization: { '@id': id('organization') },
        openingHours: 'Mo-Fr 09:00-17:00',
        priceRange: 'Contact for pricing',
        paymentAccepted: 'Cash, Credit Card, Check',
        currenciesAccepted: 'USD',
        areaServed: [
          { '@type': 'Country', name: 'United States' },
          {
            '@type': 'GeoCircle',
            geoMidpoint: {
              '@type': 'GeoCoordinates',
              latitude: serviceArea.latitude,
              longitude: serviceArea.longitude,
            },
            geoRadius: serviceArea.radius,
          },
        ],
      },
    ],
  };
}
