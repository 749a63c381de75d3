import { openingHours, site } from '../../site.config.ts';
import { socialPictureOf } from './social-picture.ts';

/** One of a page's breadcrumbs, which begin after the home page and end with the page itself. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

const addressOf = (path: string): string => new URL(path, import.meta.env.SITE ?? site.url).href;

/** The image of the firm, and of pages without a preview image (docs/product.md#search-engines-and-sharing). */
const icon = '/favicon.png';

const profiles = site.social.flatMap(({ url }) => url ?? []);

/** A short node for the firm inside other nodes. Its `@id` connects it to the firm's full node in `firmNodes`. */
const firm = {
  '@type': 'Organization',
  '@id': addressOf('/#organization'),
  name: site.name,
  url: addressOf('/'),
};

const contact = {
  telephone: site.phone,
  email: site.email,
  address: {
    '@type': 'PostalAddress',
    streetAddress: site.address.street,
    addressLocality: site.address.city,
    addressRegion: site.address.region,
    postalCode: site.address.postalCode,
    addressCountry: site.address.country,
  },
};

const country = { '@type': 'Country', name: 'United States' };

/** Returns the nodes that describe the firm: organization, website and local business, linked by stable ids. */
export function firmNodes(): object[] {
  const { latitude, longitude, radius } = site.serviceArea;
  return [
    {
      ...firm,
      legalName: site.legalName,
      description: site.tagline,
      logo: addressOf(icon),
      ...contact,
      ...(profiles.length > 0 && { sameAs: profiles }),
    },
    {
      '@type': 'WebSite',
      '@id': addressOf('/#website'),
      name: site.name,
      url: addressOf('/'),
      inLanguage: 'en-US',
      publisher: { '@id': firm['@id'] },
    },
    {
      '@type': ['LocalBusiness', 'ProfessionalService'],
      '@id': addressOf('/#business'),
      name: site.name,
      description: site.tagline,
      url: addressOf('/'),
      image: addressOf(icon),
      ...contact,
      parentOrganization: { '@id': firm['@id'] },
      openingHours: openingHours(),
      priceRange: 'Contact for pricing',
      paymentAccepted: 'Cash, Credit Card, Check',
      currenciesAccepted: 'USD',
      areaServed: [
        country,
        {
          '@type': 'GeoCircle',
          geoMidpoint: { '@type': 'GeoCoordinates', latitude, longitude },
          geoRadius: radius,
        },
      ],
    },
  ];
}

/**
 * Returns the node for an article or a post.
 * @param article dates in ISO 8601; `image` is a URL or a path on this site.
 */
export function articleNode(article: {
  path: string;
  headline: string;
  description: string;
  /** If src/site.config.ts has no name for the president, the job title is used as the name. */
  author: 'firm' | 'president';
  publishedAt: string;
  modifiedAt: string;
  image?: string | undefined;
  keywords: readonly string[];
}): object {
  const url = addressOf(article.path);
  const president = {
    '@type': 'Person',
    name: site.president.name ?? site.president.title,
    jobTitle: site.president.title,
    worksFor: firm,
  };
  return {
    '@type': 'Article',
    '@id': `${url}#article`,
    headline: article.headline,
    description: article.description,
    author: article.author === 'firm' ? firm : president,
    publisher: firm,
    datePublished: article.publishedAt,
    dateModified: article.modifiedAt,
    url,
    mainEntityOfPage: url,
    image: addressOf(article.image ?? socialPictureOf(article.path) ?? icon),
    keywords: [...article.keywords],
    inLanguage: 'en-US',
  };
}

/** Returns the node for a service, for the page that presents the service. */
export function serviceNode(service: {
  path: string;
  name: string;
  description: string;
  /** Short description of the kind of service, such as 'ERP implementation'. */
  serviceType: string;
}): object {
  const url = addressOf(service.path);
  return {
    '@type': 'Service',
    '@id': `${url}#service`,
    name: service.name,
    description: service.description,
    serviceType: service.serviceType,
    url,
    provider: firm,
    areaServed: country,
    offers: { '@type': 'Offer', price: 'Contact for Quote', priceCurrency: 'USD', url: addressOf('/contact') },
  };
}

/** Returns the node for questions and answers. Google requires the page to show the same texts. */
export function faqNode(faq: { path: string; questions: readonly { question: string; answer: string }[] }): object {
  const url = addressOf(faq.path);
  return {
    '@type': 'FAQPage',
    '@id': `${url}#faq`,
    url,
    mainEntity: faq.questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  };
}

/**
 * Returns the node for a page's breadcrumbs.
 * @param crumbs pages below the home page, ending with this page. The home page is added.
 */
export function breadcrumbNode(crumbs: readonly Crumb[]): object {
  const way = [{ name: 'Home', path: '/' }, ...crumbs];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${addressOf(way.at(-1)!.path)}#breadcrumb`,
    itemListElement: way.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: addressOf(path),
    })),
  };
}

/** Returns a page's nodes as one graph, escaped for a script element. */
export function structuredDataText(nodes: readonly object[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }).replaceAll('<', '\\u003c');
}
