import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { copyrightYear } from '../../src/domain/text/text.ts';
import { type BuiltPage, graphOf, page, pages, textOf } from './built-site.ts';

/** Splits a list or a row of a table at its bars and line breaks. */
const cells = (text: string): string[] => text.trim().split(/\s*[|\n]\s*/);
/** A row has at most eight cells. */
type Row = [string, string, string, string, string, string, string, string];
const rows = (text: string) => text.trim().split('\n').map(cells) as Row[];

/**
 * What the specification says about each page, word for word: headings in their order (other headings may be between
 * them), links as `text > address`, and other texts. The text of a heading or a link may continue.
 */
interface Facts {
  readonly h1: string;
  readonly headings?: string;
  readonly links?: string;
  readonly says?: string;
}

const terms: Facts = {
  h1: 'Terms of Service',
  headings: `Agreement | Use license | Professional services | User conduct | Career applications | Disclaimer
    Limitation of liability | Privacy | Governing law | Changes | Trademark attributions | Contact`,
  links: 'Privacy Policy > /privacy#privacy-policy | Return to Home > /',
  says: `Last updated: July 17, 2025 | about 30 days before it takes effect | California | arbitration
    not a service agreement`,
};
const privacy: Facts = {
  h1: 'Privacy and Cookie Policy',
  headings: `Cookie Policy | Essential cookies: always active | Analytics cookies: optional
    Performance cookies: optional | Cookies that we use | Your choices | Privacy Policy | Information that we collect
    How we use it | Data security | Your rights | Contact`,
  links: 'Return to Home > / | careers page > /join-team',
  says: `Last updated: July 17, 2025 | Reset Cookie Preferences | Access | Correct | Delete | Restrict or object
    Port your personal information | Withdraw consent | Applications: for five years after we receive them`,
};

const pageFacts: Record<string, Facts> = {
  '/': {
    h1: 'Books that balance. Systems that agree.',
    headings: 'Experienced NetSuite Professionals | By The Numbers | Latest Insights',
    links: `Explore Our Services > #services | View all resources > /resources
      View E-Commerce Integration Solutions > /services/ecommerce-integrations | Rescue > /project-rescue`,
    says: 'Certified NetSuite Experts | Business Process Experts | Client-Focused Approach',
  },
  '/404': { h1: '404 Page Not Found', links: 'Return to Home > / | Search this site > /search | All pages > /sitemap' },
  '/contact': { h1: 'Tell us where it doesn’t add up.', says: '(310) 555-0142 | hello@southbay-erp.example' },
  '/ecommerce-integrations': {
    h1: 'Four sales channels, one ledger',
    headings: 'Three ways to connect | What each channel needs | Why integrate your stores',
    links: `Start Your Integration > #contact | View All Services > /#services
      hello@southbay-erp.example > mailto:hello@southbay-erp.example | (310) 555-0142 > tel:+13105550142`,
    says: 'Shopify | Magento | Amazon | Walmart | 30–40% | 70%',
  },
  '/join-team': { h1: 'Work where the books have to balance.', headings: 'How we work | Submit your resume' },
  '/privacy': privacy,
  '/privacy-policy': privacy,
  '/project-rescue': {
    h1: 'When projects go off track',
    headings: 'Warning signs | Recovery in four steps | Why choose us | Two success stories',
    links: `Get Emergency Consultation > /contact?service=project-rescue#contact | View All Services > /#services
      divides these four steps > /services/project-rescue`,
    says: `Timeline and budget | Technical | Stakeholders | Vendor | more than 50% over budget | 48-hour response
      2-week assessment | 24X7 emergency response | 90%+ success rate | Neither story describes a single client.`,
  },
  '/resources': { h1: 'Resources & Insights', links: 'Back to Home > /' },
  '/resources/netsuite-implementation-guide': {
    h1: 'NetSuite implementation guide: five areas to settle before go-live',
    headings: `1. Business goals and requirements | 2. Stakeholders and team | 3. Data quality and migration
      4. Change management and training | 5. Timelines, budgets and resources`,
    says: 'Ongoing support | 20–30%',
  },
  '/resources/netsuite-integration-strategy': {
    h1: 'NetSuite integration strategy: a roadmap that reconciles',
    headings: `Why integrate NetSuite with other systems | A four-step roadmap | Step 1 | Step 2 | Step 3 | Step 4
      Why third-party integration is the future | Example results | Best practices`,
  },
  '/resources/netsuite-mcp-guide': {
    h1: 'NetSuite MCP guide: AI reporting with view-only access',
    headings: `Who this guide is for | What the NetSuite MCP server is | Business outcomes to expect | Capabilities
      Four ways it changes reporting | Use case: the weekly manufacturing report | Common use cases
      Security practices | AI limitations | Best practices and testing checklist | Professional setup | Conclusion`,
    // The made-up firm has no page for bookings, so the link for a demo leads to its contact page.
    links: 'Contact us > /contact | Ask for a free demo > /contact | View our services > /#services',
    says: `What the demo shows, step by step | dedicated integration user | view-only | List or View | no delete rights
      90 days | 4–6 hours | 5 minutes`,
  },
  '/resources/netsuite-roi-guide': {
    h1: 'NetSuite ROI guide: build a business case that holds up',
    headings: 'ROI drivers | Pitfalls that eat the return | Five ways we maximize ROI | Expected results',
  },
  '/resources/netsuite-for-distributors': {
    h1: 'NetSuite for distributors: a month-end that reconciles',
    headings: `What landed cost is made of | Lots, bins and the costing method | EDI: what can differ from the ledger
      A third-party warehouse | The close, in order`,
    links: 'See implementation > /services/implementation',
  },
  '/resources/netsuite-support-guide': {
    h1: 'NetSuite support guide: month-end, releases and retired features',
  },
  '/resources/project-recovery': {
    h1: 'NetSuite project recovery: how to diagnose and rescue a project',
    headings: `The reality of failed ERP projects | Four causes behind most failed projects
      Unclear scope and weak sponsorship | Poor data | Too much customization
      Too little time for testing, training and change | A four-step approach to recovery
      Step 1: Assessment and diagnosis | Step 2: Stabilize and secure | Step 3: Remediate and rescue
      Step 4: Optimize and future-proof | Reasons to choose us for a recovery`,
  },
  '/resources/suitescript-guide': {
    h1: 'SuiteScript guide: five script types and when to use each',
    headings: `1. Client scripts | 2. User event scripts | 3. Suitelets | 4. Scheduled scripts | 5. RESTlets
      When to use which | Best practices | How we help | Why it matters`,
  },
  '/search': { h1: 'Search' },
  '/service-not-found': {
    h1: 'Service Not Found',
    links: 'Back to Services > /#services',
    says: "The service you're looking for doesn't exist.",
  },
  '/services': { h1: 'Who needs which service?', links: 'Get started today > /contact' },
  '/sitemap': { h1: 'Sitemap', links: 'All services > /services' },
  '/terms': terms,
  '/terms-of-service': terms,
};

/** The path, title, total time and step durations of each service. */
const serviceFacts = rows(`
  implementation | NetSuite Implementation | 13+ weeks, then ongoing support | 2 weeks, 2 weeks, 4 weeks, 1 week, 2 weeks, 2 weeks, Ongoing
  development | Development & Integration | 6–9 weeks | 1 week, 1 week, 1–3 weeks, 1–2 weeks, 1 week, 1 week
  support | Managed Services & Support | 1–2 weeks to onboard, up to 1 month to stabilize, then ongoing | 1–2 weeks, Up to 1 month, Ongoing
  digital-roadmap | Digital Roadmap Advisory | 5–9 weeks | 1 week, 1 week, 1–2 weeks, 1–2 weeks, 1–3 weeks
  project-rescue | Project Rescue & Recovery | 8–12 weeks | 1 week, 1 week, 1 week, 1 week, 3–6 weeks, 1–2 weeks
  ecommerce-integrations | E-Commerce Integrations | 5–9 weeks, then ongoing support | 1–2 weeks, 3–5 days, 2–4 weeks, 1–2 weeks, Ongoing
`);

/** The path, minutes, date, author, previous article, next article and calls to action of each article. */
const articleFacts = rows(`
  netsuite-implementation-guide | 8 | July 14, 2025 | 2025-07-14 | Southbay ERP | none | suitescript-guide | /#contact, /#services
  netsuite-integration-strategy | 15 | August 11, 2025 | 2025-08-11 | Southbay ERP | suitescript-guide | project-recovery | /contact, /resources
  netsuite-roi-guide | 12 | July 15, 2025 | 2025-07-15 | Southbay ERP | suitescript-guide | netsuite-integration-strategy | /contact, /#services-support
  suitescript-guide | 8 | July 15, 2025 | 2025-07-15 | Southbay ERP | netsuite-implementation-guide | netsuite-roi-guide | /contact, /#services-development
  project-recovery | 12 | August 10, 2025 | 2025-08-10 | Southbay ERP | netsuite-integration-strategy | none | /contact
  netsuite-mcp-guide | 10 | October 2025 | 2025-10-01 | President, Southbay ERP | netsuite-integration-strategy | none | /contact, /contact, /#services
`);

/** The year may end between the build and this test. */
const builtAt = statSync('dist/index.html').mtime;
const each = ({ $ }: BuiltPage, selector: string) =>
  $(selector)
    .toArray()
    .map((element) => $(element));
const textsOf = (built: BuiltPage, selector: string) => each(built, selector).map(textOf);
const hrefsOf = (built: BuiltPage, selector: string) => each(built, selector).map((link) => link.attr('href'));
const optionsOf = (built: BuiltPage, name: string) =>
  each(built, `main select[name=${name}] option[value!=""]`).map((one) => `${one.attr('value')} = ${textOf(one)}`);

test('The site has these pages, and no others except further articles and services', () => {
  const listed = [...Object.keys(pageFacts), ...serviceFacts.map(([id]) => `/services/${id}`)];
  const isFurther = (path: string) => /^\/(?:resources|services)\/./.test(path) && !listed.includes(path);
  const found = pages.map(({ path }) => path).filter((path) => !isFurther(path));
  expect(found.toSorted()).toEqual(listed.toSorted());
});

test.each(Object.entries(pageFacts))('%s has its headings, links and texts', (path, { h1, headings, links, says }) => {
  const built = page(path);
  expect(textsOf(built, 'h1')).toEqual([h1]);
  const specified = headings ? cells(headings) : [];
  const found = textsOf(built, 'main :is(h2, h3)').map((text) => specified.find((one) => text.startsWith(one)));
  expect(found.filter((heading) => heading !== undefined)).toEqual(specified);
  for (const link of links ? cells(links) : []) {
    const [text = '', href] = link.split(' > ');
    const targets = each(built, 'main a')
      .filter((one) => textOf(one).startsWith(text))
      .map((one) => one.attr('href'));
    expect([...new Set(targets)], text).toEqual([href]);
  }
  const words = textOf(built.$('main'));
  expect((says ? cells(says) : []).filter((text) => !words.includes(text))).toEqual([]);
});

test.each(pages)('$path has the menu, the footer and the cookie banner', (built) => {
  const home = built.path === '/' ? '' : '/';
  const menu = each(built, '#menu a').map((link) => `${textOf(link)} > ${link.attr('href')}`);
  expect(menu).toEqual([
    ...['Home > /', `Services > ${home}#services`, `About > ${home}#about`, `Resources > ${home}#resources`],
    ...['Join the Team > /join-team', home ? 'Contact > /contact' : 'Contact > #contact'],
  ]);
  const footer = textOf(built.$('footer'));
  const links = cells(`/services | /sitemap | /terms | /privacy#privacy-policy | /privacy#cookie-policy | /#about
      /#resources | tel:+13105550142 | mailto:hello@southbay-erp.example`);
  expect(hrefsOf(built, 'footer a')).toEqual(
    expect.arrayContaining([...links, ...serviceFacts.map(([id]) => `/services/${id}`)]),
  );
  expect(footer).toContain(
    'We transform businesses through expert NetSuite implementations, custom development and ongoing support.',
  );
  expect(footer).toContain(`© ${copyrightYear(builtAt, 'America/Los_Angeles')} `);
  // The made-up firm has no profiles, because their pages could belong to anyone.
  expect(built.html).not.toMatch(/linkedin|sameAs/i);
  expect(textOf(built.$('#cookies p'))).toBe(
    'We use cookies to enhance your browsing experience, analyze site traffic, and provide personalized content.',
  );
  expect(textsOf(built, '#cookies :is(button, a)').slice(0, 3)).toEqual([
    ...['Accept All Cookies', 'Decline', 'Cookie Policy'],
  ]);
  expect(hrefsOf(built, '#cookies a')).toEqual(['/privacy']);
});

test('The forms work without scripts, have the specified options, and link to the privacy policy', () => {
  const inquiry = 'form[method=post][action="/api/contact"]';
  const application = 'form[method=post][action="/api/career-application"][enctype="multipart/form-data"]';
  const counts = { '/': 2, '/contact': 1, '/ecommerce-integrations': 1, '/join-team': 1 };
  for (const [path, count] of Object.entries(counts)) {
    const forms = page(path).$(path === '/join-team' ? application : inquiry);
    expect([forms.length, forms.find('a[href="/privacy#privacy-policy"]').length], path).toEqual([count, count]);
    if (path === '/join-team') continue;
    const services = cells(`digital-roadmap = Digital Roadmap Advisory | project-recovery = Project Recovery
      implementation = Implementation | development = Development & Integration
      support = Managed Services & Support | other = Other`);
    // The form also has an option for each further service.
    const options = optionsOf(page(path), 'serviceInterest').filter((option) => services.includes(option));
    expect(options, path).toEqual(services);
  }
  const careers = page('/join-team');
  expect(optionsOf(careers, 'position').map((option) => option.split(' = ')[1])).toEqual(
    cells(`Senior NetSuite Consultant | Junior NetSuite Financial Consultant | NetSuite Developer | Business Analyst
      Project Manager | Implementation Specialist | Technical Support | Other`),
  );
  expect(optionsOf(careers, 'experience')).toEqual(
    cells('0-1 = 0-1 years | 2-3 = 2-3 years | 4-5 = 4-5 years | 6-10 = 6-10 years | 10+ = 10+ years'),
  );
});

test('The home page has its sections, services, figures and insights in order, and describes the firm to search engines', () => {
  const home = page('/');
  const sections = cells('home | services | about | stats | resources | contact');
  const shown = each(home, 'main > section').map((section) => section.attr('id') ?? '');
  expect(shown.filter((id) => sections.includes(id))).toEqual(sections);
  const tabs = cells('digital-roadmap | project-rescue | implementation | development | support');
  expect(hrefsOf(home, '[role=tab]')).toEqual(tabs.map((id) => `#services-${id}`));
  for (const id of tabs) {
    expect(home.$(`#services-${id} li`), id).toHaveLength(3);
    expect(textOf(home.$(`#services-${id} a[href="/services/${id}"]`)), id).toMatch(/^Learn more/);
  }
  expect(textsOf(home, '#stats li > *')).toEqual(
    cells('NetSuite Projects | 100+ | Years of Combined Experience | 60+ | Industries | 25+'),
  );
  expect(hrefsOf(home, '#resources article a')).toEqual(
    cells(`/resources/netsuite-mcp-guide | /resources/netsuite-integration-strategy | /resources/project-recovery
      /resources/netsuite-implementation-guide`),
  );
  expect(textOf(home.$('[role=dialog] h2'))).toBe('Start Transformation');
  expect(graphOf(home)).toMatchObject([
    { '@type': 'Organization', address: { addressLocality: 'Torrance', addressRegion: 'CA', addressCountry: 'US' } },
    { '@type': 'WebSite' },
    {
      '@type': ['LocalBusiness', 'ProfessionalService'],
      openingHours: 'Mo-Fr 09:00-17:00',
      priceRange: 'Contact for pricing',
      paymentAccepted: 'Cash, Credit Card, Check',
      currenciesAccepted: 'USD',
      areaServed: [{ name: 'United States' }, { geoRadius: 50_000 }],
    },
  ]);
});

test.each(serviceFacts)(
  'The service %s has its pictures, benefits, steps, durations and links, and describes itself to search engines',
  (id, title, total, durations) => {
    const built = page(`/services/${id}`);
    expect(textsOf(built, 'h1')).toEqual([title]);
    expect(`${textOf(built.$('main a').first())} > ${hrefsOf(built, 'main a')[0]}`).toBe(
      'Back to Services > /#services',
    );
    expect(built.$('main figure svg[role=img]').attr('aria-label'), 'the featured picture').toMatch(/.{60}/);
    expect(built.$(`h2:contains("Key Benefits of ${title}") ~ ul > li`)).toHaveLength(6);
    const steps = each(built, 'main ol > li');
    expect(steps.map((step) => textOf(step.find('p').last())).join(', ')).toBe(durations);
    expect(steps.every((step) => step.find('h3').text() && step.find('h3 + p').text())).toBe(true);
    expect(textOf(built.$('main'))).toContain(`Total: ${total}`);
    const isShop = id === 'ecommerce-integrations';
    const contact = each(built, 'main a[href^="/contact"]').map((link) => `${textOf(link)} > ${link.attr('href')}`);
    expect(contact).toEqual([`${isShop ? 'Contact Us Today' : 'Get started today'} > /contact?service=${id}#contact`]);
    expect(textsOf(built, 'h2').includes('Ready to transform your business?')).toBe(!isShop);
    expect(graphOf(built)).toMatchObject([
      { '@type': 'Service', name: title, offers: { price: 'Contact for Quote', priceCurrency: 'USD' } },
      { '@type': 'FAQPage' },
      { '@type': 'BreadcrumbList', itemListElement: [{ name: 'Home' }, { name: 'Services' }, { name: title }] },
    ]);
  },
);

test('The overview links to every service; shops and projects in trouble find the pages about their problem', () => {
  expect(hrefsOf(page('/services'), 'main a')).toEqual(
    expect.arrayContaining(serviceFacts.map(([id]) => `/services/${id}`)),
  );
  for (const [to, from] of rows('/project-rescue | /services\n/ecommerce-integrations | /services')) {
    for (const reader of [from, `/services${to}`]) expect(hrefsOf(page(reader), 'main a'), reader).toContain(to);
  }
  expect(textsOf(page('/services/ecommerce-integrations'), 'h2:contains("Platforms we work with") ~ div dt')).toEqual(
    cells(`Shopify | Magento (Adobe Commerce) | Amazon | Walmart | NetSuite Connector | Boomi (formerly Dell Boomi)
      Celigo`),
  );
  const steps = textsOf(page('/ecommerce-integrations'), 'main ol > li > p:first-child');
  expect(steps.map((step, index) => step.replace(`${index + 1} `, '')).join(', ')).toBe(serviceFacts.at(-1)![3]);
  const rescue = page('/project-rescue');
  expect([rescue.$('fieldset').length, rescue.$('main ol > li').length, rescue.$('article').length]).toEqual([4, 4, 2]);
});

test.each(articleFacts)(
  'The article %s has its date, author, reading time, neighbors, contents and calls to action, and describes itself to search engines',
  (slug, minutes, date, day, by, previous, next, calls) => {
    const built = page(`/resources/${slug}`);
    const times = built.$('main header time');
    const head = textOf(built.$('main header'));
    expect(head).toContain(`${minutes} min read`);
    expect(head).toContain(`By ${by}`);
    expect([times.first().text(), times.first().attr('datetime')]).toEqual([date, day]);
    expect(hrefsOf(built, 'main header a')).toEqual(['/resources']);
    expect(hrefsOf(built, 'a[rel=prev]').join()).toBe(previous === 'none' ? '' : `/resources/${previous}`);
    expect(hrefsOf(built, 'a[rel=next]').join()).toBe(next === 'none' ? '' : `/resources/${next}`);
    expect(hrefsOf(built, 'main > :last-child a').join(', ')).toBe(calls);
    const sections = each(built, 'h2[id]:has(a)').map((heading) => `#${heading.attr('id')}`);
    expect(sections.length).toBeGreaterThan(3);
    expect(hrefsOf(built, 'main nav a[href^="#"]')).toEqual(sections);
    expect(graphOf(built).find((node) => node['@type'] === 'Article')).toMatchObject({
      headline: built.$('h1').text(),
      description: built.$('meta[name=description]').attr('content'),
      author: { name: by },
      datePublished: day,
      dateModified: times.last().attr('datetime'),
      url: built.$('link[rel=canonical]').attr('href'),
      image: built.$('meta[property="og:image"]').attr('content'),
      keywords: built.$('meta[name=keywords]').attr('content')!.split(', '),
    });
  },
);

test('The articles have the specified lists and tables, and a frame of 16:9 for the demo', () => {
  const implementation = page('/resources/netsuite-implementation-guide');
  expect(textsOf(implementation, 'main *').filter((text) => text === 'Key actions')).toHaveLength(5);
  expect(hrefsOf(implementation, 'main li a[href^="/services/"]')).toHaveLength(4);
  const pitfalls = page('/resources/netsuite-roi-guide').$('table:has(th:contains("Pitfall"))');
  expect(textOf(pitfalls.find('thead'))).toMatch(/^Pitfall\s*Effect on ROI\s*How to avoid$/);
  expect(pitfalls.find('tbody tr')).toHaveLength(5);
  expect(page('/resources/netsuite-mcp-guide').css).toMatch(/aspect-ratio:16\s*\/\s*9/);
});

test('Resources shows five cards in the specified order, each with a picture, a description and a link', () => {
  const cards = each(page('/resources'), 'main article');
  const named = cards.map(
    (card) => `${textOf(card.find('.category'))}, ${textOf(card.find('time'))} > ${card.find('a').attr('href')}`,
  );
  expect(named).toEqual(
    cells(`AI & Automation, October 2025 > /resources/netsuite-mcp-guide
      Strategy, August 11, 2025 > /resources/netsuite-integration-strategy
      Recovery, August 10, 2025 > /resources/project-recovery
      Implementation, July 14, 2025 > /resources/netsuite-implementation-guide
      Development, July 15, 2025 > /resources/suitescript-guide`),
  );
  for (const card of cards) {
    expect(card.find('svg')).toHaveLength(1);
    expect(card.find('h2 + p').text()).toMatch(/.{40}/);
    expect(textOf(card.find('a'))).toMatch(/^Read more/);
  }
});

test('The cookie table says how long each cookie lasts', () => {
  const lines = textsOf(page('/privacy'), 'main table tr');
  expect(lines.find((line) => line.startsWith('cookies-accepted'))).toMatch(/Essential.*1 year$/);
  expect(lines.find((line) => line.startsWith('session'))).toMatch(/Essential.*Session/);
});
