import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readServices } from '../../src/data/service-files.ts';
import { site } from '../../src/site.config.ts';
import { files, page, pages } from './built-site.ts';

const origin = new URL(process.env['SITE_URL'] || site.url).origin;
const config = JSON.parse(readFileSync('.netlify/v1/config.json', 'utf8')) as {
  headers: { for: string; values: Record<string, string> }[];
};

/** Alternative paths of a page (docs/product.md#pages-and-addresses). */
const aliases = new Map([
  ['/privacy-policy', '/privacy'],
  ['/terms-of-service', '/terms'],
]);
const originals = pages.filter(({ path }) => !aliases.has(path));

describe.each(pages)('$path', ({ path, html, $ }) => {
  test('has one title, one description and one main heading', () => {
    expect($('html').attr('lang')).toBe('en-US');
    expect($('h1')).toHaveLength(1);
    expect($('title')).toHaveLength(1);
    expect($('title').text().length).toBeLessThanOrEqual(80);
    expect($('meta[property="og:site_name"]').attr('content')).toBe(site.name);
    expect($('meta[name=description]').attr('content')).toMatch(/.{20,160}/);
    expect($('main')).toHaveLength(1);
  });

  test('has keywords', () => {
    expect($('meta[name=keywords]').attr('content')?.split(', ').length).toBeGreaterThan(0);
    expect($('meta[name=keywords]').attr('content')).toMatch(/\w/);
  });

  test('has one canonical URL without a trailing slash', () => {
    const canonical = $('link[rel=canonical]').attr('href');
    const known = aliases.get(path) ?? path;
    expect(canonical).toBe(`${origin}${known}`);
    expect($('meta[property="og:url"]').attr('content')).toBe(canonical);
  });

  test('has the metadata for search engines and previews', () => {
    expect($('meta[name=robots]').attr('content')).toBe(
      ['/404', '/search', '/service-not-found'].includes(path) ? 'noindex, nofollow' : 'index, follow',
    );
    expect($('meta[property="og:title"]').attr('content')).toBe($('title').text());
    const image = new URL($('meta[property="og:image"]').attr('content')!);
    expect(image.origin).toBe(origin);
    expect(files).toContain(image.pathname);
  });

  test('has headings without skipped levels', () => {
    const levels = $('main :is(h1,h2,h3,h4)')
      .toArray()
      .map((heading) => Number(heading.tagName[1]));
    levels.forEach((level, index) => expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1));
  });

  test('has unique ids, and refers only to ids that exist', () => {
    const ids = $('[id]')
      .toArray()
      .map((element) => $(element).attr('id')!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const attribute of ['for', 'aria-controls', 'aria-labelledby', 'aria-describedby', 'popovertarget']) {
      $(`[${attribute}]`).each((_, element) => {
        for (const id of $(element).attr(attribute)!.split(' ')) expect(ids, `${attribute}=${id}`).toContain(id);
      });
    }
  });

  test('links only to anchors that exist', () => {
    $('a[href*="#"]').each((_, link) => {
      const target = new URL($(link).attr('href')!, `${origin}${path}`);
      const there = pages.find((candidate) => candidate.path === target.pathname);
      if (there) expect(there.$(`[id="${target.hash.slice(1)}"]`).length, target.href).toBe(1);
    });
  });

  test('has descriptions and sizes for its pictures', () => {
    $('img').each((_, picture) => {
      expect($(picture).attr('alt')).toBeDefined();
      expect(Number($(picture).attr('width'))).toBeGreaterThan(0);
      expect(Number($(picture).attr('height'))).toBeGreaterThan(0);
    });
    $('svg').each((_, drawing) => {
      expect($(drawing).is('[role=img][aria-label], [aria-hidden=true]')).toBe(true);
    });
  });

  test('lets keyboard users skip to the content first', () => {
    const first = $('body a, body button').first();
    expect(first.attr('href')).toBe('#main');
    expect($('#main').is('main')).toBe(true);
  });

  test('is allowed by its own policy, which allows nothing that only another page needs', () => {
    const header = config.headers.find((entry) => entry.for === path)?.values['Content-Security-Policy'];
    const policy = header ?? $('meta[http-equiv="content-security-policy" i]').attr('content');
    expect(policy).toMatch(/default-src 'self'/);
    expect(policy).not.toMatch(/unsafe-/);
    expect(html).not.toMatch(/<[^>]+\sstyle=/);
    expect(html).not.toMatch(/<[^>]+\son[a-z]+=/);
    const own = $('script:not([src]):not([type="application/ld+json"]), style')
      .toArray()
      .map((element) => `'sha256-${createHash('sha256').update($(element).text()).digest('base64')}'`);
    expect(policy?.match(/'sha256-[^']+'/g)?.toSorted()).toEqual(own.toSorted());
  });

  test('has valid structured data', () => {
    $('script[type="application/ld+json"]').each((_, script) => {
      expect(() => void JSON.parse($(script).text())).not.toThrow();
    });
  });
});

test('no two pages have the same title', () => {
  const titles = originals.map(({ $ }) => $('title').text());
  expect(new Set(titles).size).toBe(titles.length);
});

test('the sitemap lists the public pages by their canonical URLs', () => {
  const listed = readFileSync('dist/sitemap-0.xml', 'utf8');
  const found = originals.filter(({ $ }) => !$('meta[name=robots]').attr('content')?.startsWith('noindex'));
  for (const { $ } of found) expect(listed).toContain(`<loc>${$('link[rel=canonical]').attr('href')}</loc>`);
  // The blog is rendered on demand, so the build has no file for it.
  expect(listed).toMatch(/\/blog<\/loc>/);
  expect(listed.match(/<loc>/g)).toHaveLength(found.length + 1);
});

describe('The home page', () => {
  const { $ } = page('/');

  test('describes the firm to search engines', () => {
    const graph = JSON.parse($('script[type="application/ld+json"]').text())['@graph'] as Record<string, unknown>[];
    expect(graph.flatMap((node) => node['@type'])).toEqual([
      'Organization',
      'WebSite',
      'LocalBusiness',
      'ProfessionalService',
    ]);
    expect(new Set(graph.map((node) => node['@id'])).size).toBe(3);
    expect(graph.at(-1)).toMatchObject({
      openingHours: 'Mo-Fr 09:00-17:00',
      priceRange: 'Contact for pricing',
      paymentAccepted: 'Cash, Credit Card, Check',
      currenciesAccepted: 'USD',
    });
  });

  test('has its sections in the specified order', () => {
    const sections = $('main > section')
      .toArray()
      .map((section) => $(section).attr('id'));
    const specified = ['home', 'services', 'about', 'stats', 'resources', 'contact'];
    // The firm may add other sections.
    expect(sections.filter((id) => specified.includes(id!))).toEqual(specified);
  });

  test('shows the five services as tabs, each with three features and a link to its page', () => {
    const ids = ['digital-roadmap', 'project-rescue', 'implementation', 'development', 'support'];
    expect(
      $('[role=tab]')
        .toArray()
        .map((tab) => $(tab).attr('href')),
    ).toEqual(ids.map((id) => `#services-${id}`));
    for (const id of ids) {
      const panel = $(`#services-${id}`);
      expect(panel.find('li')).toHaveLength(3);
      expect(panel.find(`a[href="/services/${id}"]`).text()).toMatch(/^\s*Learn more/);
    }
    expect($('#services-development a[href="/services/ecommerce-integrations"]').text()).toContain(
      'View E-Commerce Integration Solutions',
    );
  });

  test('shows the latest insights in the order of ids 6, 5, 4, 1', () => {
    const links = $('#resources article a').toArray();
    expect(links.map((link) => $(link).attr('href'))).toEqual([
      '/resources/netsuite-mcp-guide',
      '/resources/netsuite-integration-strategy',
      '/resources/project-recovery',
      '/resources/netsuite-implementation-guide',
    ]);
    expect($('#resources > div > a').attr('href')).toBe('/resources');
  });

  test('has the contact form twice, each with unique ids', () => {
    const forms = $('form[data-enhance=contact]').toArray();
    expect(forms.map((form) => $(form).attr('data-variant'))).toEqual(['floating', 'section']);
    for (const form of forms) {
      expect($(form).attr('action')).toBe('/api/contact');
      expect($(form).attr('method')).toBe('post');
      expect($(form).find('a[href="/privacy#privacy-policy"]')).toHaveLength(1);
    }
  });
});

test('The privacy policy states when the site deletes applications', () => {
  expect(site.applicationsKeptYears).toBe(5);
  expect(page('/privacy').$('main').text()).toContain('Applications: for five years after we receive them');
});

describe('A link', () => {
  const leadsTo = (from: string, to: string, within = 'main') => {
    const link = page(from).$(`${within} a[href="${to}"]`);
    return link.toArray().some((each) => page(from).$(each).text().trim() !== '');
  };
  const servicePages = pages.filter(({ path }) => /^\/services\/[^/]+$/.test(path)).map(({ path }) => path);

  test.each([
    ['/project-rescue', ['/', '/services', '/services/project-rescue']],
    ['/ecommerce-integrations', ['/services', '/services/ecommerce-integrations']],
    ['/services', ['/', ...servicePages]],
    ['/resources/netsuite-roi-guide', ['/resources']],
  ])('to %s is where its readers are', (to, readers) => {
    expect(servicePages).toHaveLength(readServices(process.cwd()).ids.length);
    expect(readers.filter((from) => !leadsTo(from, to))).toEqual([]);
  });

  test('to the overview of the services is in the footer of every page', () => {
    const without = originals.filter(({ path }) => !leadsTo(path, '/services', 'footer'));
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  test('to a profile of the made-up firm does not exist, because the page could belong to anyone', () => {
    expect(site.social.filter(({ url }) => url !== null)).toEqual([]);
    for (const { path, $ } of pages) expect($('.footer-social a').length, path).toBe(0);
    expect(page('/').html).not.toMatch(/linkedin|sameAs/i);
  });
});
