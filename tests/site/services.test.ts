import { describe, expect, test } from 'vitest';
import { readServices } from '../../src/data/service-files.ts';
import { scheduleOf } from '../../src/islands/process-timeline/schedule.ts';
import { brotliSize, page, read, scriptGraph } from './built-site.ts';

/** The approved durations (docs/product.md#fixed-texts), in the order of the steps. */
const durations: Record<string, readonly string[]> = {
  implementation: ['2 weeks', '2 weeks', '4 weeks', '1 week', '2 weeks', '2 weeks', 'Ongoing'],
  development: ['1 week', '1 week', '1-3 weeks', '1-2 weeks', '1 week', '1 week'],
  support: ['1-2 weeks', 'Up to 1 month', 'Ongoing'],
  'digital-roadmap': ['1 week', '1 week', '1-2 weeks', '1-2 weeks', '1-3 weeks'],
  'project-rescue': ['1 week', '1 week', '1 week', '1 week', '3-6 weeks', '1-2 weeks'],
  'ecommerce-integrations': ['1-2 weeks', '3-5 days', '2-4 weeks', '1-2 weeks', 'Ongoing'],
};
const { services } = readServices(process.cwd());

interface Node {
  readonly '@type': string;
  readonly [name: string]: unknown;
}

const textOf = (text: string): string => text.replace(/\s+/g, ' ').trim();

function nodesOf(path: string): Node[] {
  const { $ } = page(path);
  const graph = JSON.parse($('script[type="application/ld+json"]').text()) as { '@graph': Node[] };
  return graph['@graph'];
}

describe.each([...services])('/services/%s', (id, { benefits, process: steps, platforms }) => {
  const { $ } = page(`/services/${id}`);
  const title = $('h1').text();
  const shown = $('.timeline ol > li').toArray();
  const shownDurations = shown.map((step) => $(step).find('.step-time').text());

  test('links back to the services of the home page', () => {
    expect(textOf($('main a[href="/#services"]').first().text())).toBe('Back to Services');
  });

  test('shows its three pictures with descriptions, the third of them as the featured picture', () => {
    expect($('.service-intro svg[role=img]')).toHaveLength(1);
    expect($('figure svg[role=img]').attr('aria-label')).toMatch(/.{60,}/);
  });

  test('lists its key benefits', () => {
    expect(
      $('h2')
        .toArray()
        .map((heading) => textOf($(heading).text())),
    ).toContain(`Key Benefits of ${title}`);
    expect($('.benefits li')).toHaveLength(benefits.length);
  });

  test('states the specified durations, or those in its file', () => {
    expect(shownDurations).toEqual(durations[id] ?? steps.map(({ duration }) => duration));
    expect(shown.every((step) => $(step).find('h3').text() && $(step).find('h3 + p').text())).toBe(true);
  });

  test('adds up its weeks in the same way as the timeline', () => {
    // Months cannot be converted to weeks, so a total with months is not checked here.
    if (shownDurations.some((duration) => duration.includes('month'))) return;
    const timed = shownDurations.filter((duration) => duration !== 'Ongoing');
    const { steps: scheduled, weeks } = scheduleOf(timed.map((duration) => ({ title: '', description: '', duration })));
    const least = Math.ceil(scheduled.reduce((sum, { span }) => sum + span.least, 0));
    const most = Math.ceil(weeks);
    const overall = $('.timeline-total strong').text();
    expect(overall.startsWith(least === most ? `${most} weeks` : `${least}-${most} weeks`)).toBe(true);
    expect(/then ongoing$/.test(overall)).toBe(shownDurations.includes('Ongoing'));
  });

  test('ends with the banner, or with a button next to its platforms', () => {
    const banner = $('.banner');
    const ask = platforms ? $('.platforms a.button') : banner.find('a');
    expect(banner.length).toBe(platforms ? 0 : 1);
    expect(textOf(ask.text())).toBe(platforms ? 'Contact Us Today' : 'Get started today');
    expect(ask.attr('href')).toBe(`/contact?service=${id}#contact`);
    if (banner.length > 0) expect(textOf(banner.find('h2').text())).toBe('Ready to transform your business?');
  });

  test('has structured data for its service, questions and breadcrumbs', () => {
    const [service, faq, crumbs] = nodesOf(`/services/${id}`);
    expect(service).toMatchObject({ '@type': 'Service', name: title, offers: { price: 'Contact for Quote' } });
    expect(crumbs).toMatchObject({ '@type': 'BreadcrumbList', itemListElement: { length: 3 } });
    const questions = faq?.['mainEntity'] as { name: string; acceptedAnswer: { text: string } }[];
    const shown = textOf($('.questions').text());
    for (const { name, acceptedAnswer } of questions) {
      expect(shown).toContain(name);
      expect(shown).toContain(acceptedAnswer.text);
    }
  });

  test('costs at most 62 KB, including React, after its timeline is seen', () => {
    const island = $('astro-island[client=reach][component-url*=ProcessTimeline]');
    const scripts = scriptGraph([island.attr('component-url')!, island.attr('renderer-url')!]);
    const bytes = [...scripts].reduce((sum, file) => sum + brotliSize(read(file)), 0);
    expect(bytes).toBeLessThanOrEqual(62_000);
  });
});

test('the e-commerce service names four e-commerce and three integration platforms', () => {
  const { $ } = page('/services/ecommerce-integrations');
  const groups = $('.platforms dl')
    .toArray()
    .map((group) =>
      $(group)
        .find('dt')
        .toArray()
        .map((name) => $(name).text()),
    );
  expect(groups).toEqual([
    ['Shopify', 'Magento (Adobe Commerce)', 'Amazon', 'Walmart'],
    ['NetSuite Connector', 'Boomi (formerly Dell Boomi)', 'Celigo'],
  ]);
});

test('the overview explains who needs which service, and links to every service', () => {
  const { $ } = page('/services');
  for (const list of ['.chooser li a', '.range h4 a']) {
    const links = $(list).toArray();
    expect(links.map((link) => $(link).attr('href')).toSorted()).toEqual(
      [...services.keys()].map((id) => `/services/${id}`).toSorted(),
    );
  }
});

test('an unknown service has an error page with a link back', () => {
  const { $ } = page('/service-not-found');
  expect($('h1').text()).toBe('Service Not Found');
  expect($('main').text()).toContain("The service you're looking for doesn't exist.");
  expect(textOf($('main a.button').text())).toBe('Back to Services');
  expect($('main a.button').attr('href')).toBe('/#services');
});

describe('/ecommerce-integrations', () => {
  const { $ } = page('/ecommerce-integrations');
  const links = (name: string) =>
    $('main a')
      .toArray()
      .filter((link) => textOf($(link).text()) === name)
      .map((link) => $(link).attr('href'));

  test('has links to start below, to see all services, to write and to call', () => {
    expect(links('Start Your Integration')).toEqual(['#contact', '#contact']);
    expect(links('View All Services')).toEqual(['/#services']);
    expect($('.start a[href^="mailto:"]')).toHaveLength(1);
    expect($('.start a[href^="tel:"]')).toHaveLength(1);
    expect($('#contact select option[selected]').attr('value')).toBe('development');
  });

  test('shows options, platforms, reasons and a process of five steps with the specified durations', () => {
    expect($('.options thead th')).toHaveLength(3);
    expect($('.channels li')).toHaveLength(4);
    expect($('.reasons dt').length).toBeGreaterThanOrEqual(3);
    const times = $('.row-time').toArray();
    expect(times.map((time) => textOf($(time).text()).slice(2))).toEqual(durations['ecommerce-integrations']);
  });
});

describe('/project-rescue', () => {
  const { $ } = page('/project-rescue');

  test('lists the warning signs in four groups', () => {
    const groups = $('fieldset legend').toArray();
    expect(groups.map((group) => $(group).text())).toEqual([
      'Timeline and budget',
      'Technical',
      'Stakeholders',
      'Vendor',
    ]);
    expect($('fieldset').text()).toContain('50%');
  });

  test('has four recovery steps and two stories that describe no real client', () => {
    expect($('.recovery li')).toHaveLength(4);
    expect($('.stories article')).toHaveLength(2);
    expect($('.stories').text()).toContain('Neither story describes a single client.');
  });

  test('explains each claim', () => {
    const claims = textOf($('.promises').text());
    for (const claim of ['48-hour response', '2-week assessment', '24X7 emergency response', '90%+ success rate']) {
      expect(claims).toContain(claim);
    }
  });

  test('offers an emergency consultation', () => {
    const ask = $('main a.button:contains("Get Emergency Consultation")');
    expect(ask.attr('href')).toBe('/contact?service=project-rescue#contact');
    expect($('main a.button[href="/#services"]').text().trim()).toBe('View All Services');
  });
});
