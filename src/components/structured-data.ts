import type {
  Article,
  BreadcrumbList,
  FAQPage,
  LocalBusiness,
  Organization,
  Person,
  Service,
  WebSite,
} from 'schema-dts';
import { openingHours, site } from '../site.config.ts';
import { socialPictureOf } from './social-picture.ts';

/** One step of the way from the home page to a page. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

const addressOf = (path: string): string => new URL(path, import.meta.env.SITE ?? site.url).href;

/** A picture that shows the site wherever a page has none of its own (spec §1). */
const icon = '/favicon.png';

const profiles = site.social.flatMap(({ url }) => url ?? []);

/** The firm where another node names it: complete enough to be read by itself, and the same node by its id. */
const firm = {
  '@type': 'Organization',
  '@id': addressOf('/#organization'),
  name: site.name,
  url: addressOf('/'),
} as const;

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
} as const;

/** A thing described; schema.org lets its mere address stand for it, which a page's own graph never does. */
type Node<Thing> = Exclude<Thing, string>;

/** What the firm's own pages say of it: organization, website and local business, tied together by stable ids (spec §1). */
export function firmNodes(): [Node<Organization>, Node<WebSite>, Node<LocalBusiness>] {
  const business: Node<LocalBusiness> = {
    '@type': 'LocalBusiness',
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
      { '@type': 'Country', name: 'United States' },
      {
        '@type': 'GeoCircle',
        geoMidpoint: {
          '@type': 'GeoCoordinates',
          latitude: site.serviceArea.latitude,
          longitude: site.serviceArea.longitude,
        },
        geoRadius: site.serviceArea.radius,
      },
    ],
  };
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
    // Of two types at once, which the types of the vocabulary do not foresee.
    { ...business, '@type': ['LocalBusiness', 'ProfessionalService'] } as unknown as Node<LocalBusiness>,
  ];
}

/**
 * An article or a post (spec §3, 'Article structured-data record').
 * @param article dates in ISO 8601, `image` an address or a path of this site.
 */
export function articleNode(article: {
  path: string;
  headline: string;
  description: string;
  /** Signed by the firm, or by its president, whose name may not be given (site.config.ts). */
  author: 'firm' | 'president';
  publishedAt: string;
  modifiedAt: string;
  image?: string | undefined;
  keywords: readonly string[];
}): Article {
  const url = addressOf(article.path);
  const president: Person = {
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

/** What the firm sells, on the page that presents it (spec §1: the price text of service pages). */
export function serviceNode(service: {
  path: string;
  name: string;
  description: string;
  /** The kind of service in a few words, such as 'ERP implementation'. */
  serviceType: string;
}): Service {
  const url = addressOf(service.path);
  return {
    '@type': 'Service',
    '@id': `${url}#service`,
    name: service.name,
    description: service.description,
    serviceType: service.serviceType,
    url,
    provider: firm,
    areaServed: { '@type': 'Country', name: 'United States' },
    offers: { '@type': 'Offer', price: 'Contact for Quote', priceCurrency: 'USD', url: addressOf('/contact') },
  };
}

/** Questions and answers. The page must show the same words. */
export function faqNode(faq: { path: string; questions: readonly { question: string; answer: string }[] }): FAQPage {
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
 * The way to a page.
 * @param crumbs from below the home page, which comes first by itself, to the page.
 */
export function breadcrumbNode(crumbs: readonly Crumb[]): BreadcrumbList {
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

/** One graph for a page, as the text of its script element. */
export function structuredDataText(nodes: readonly object[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }).replaceAll('<', '\\u003c');
}
