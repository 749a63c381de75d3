import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { site } from '../../src/site.config.ts';
import { brotliSize, inlineScripts, page, read } from './built-site.ts';

/** The day on which someone last verified the facts of the articles. */
const updated = '2026-11-23';

/** The approved facts of each article (docs/product.md#articles). */
const specified = [
  {
    slug: 'netsuite-implementation-guide',
    minutes: 8,
    date: 'July 14, 2025',
    day: '2025-07-14',
    next: 'suitescript-guide',
    calls: ['/#contact', '/#services'],
  },
  {
    slug: 'netsuite-integration-strategy',
    minutes: 15,
    date: 'August 11, 2025',
    day: '2025-08-11',
    previous: 'suitescript-guide',
    next: 'project-recovery',
    calls: ['/contact', '/resources'],
  },
  {
    slug: 'netsuite-roi-guide',
    minutes: 12,
    date: 'July 15, 2025',
    day: '2025-07-15',
    previous: 'suitescript-guide',
    next: 'netsuite-integration-strategy',
    calls: ['/contact', '/#services-support'],
  },
  {
    slug: 'suitescript-guide',
    minutes: 8,
    date: 'July 15, 2025',
    day: '2025-07-15',
    previous: 'netsuite-implementation-guide',
    next: 'netsuite-roi-guide',
    calls: ['/contact', '/#services-development'],
  },
  {
    slug: 'project-recovery',
    minutes: 12,
    date: 'August 10, 2025',
    day: '2025-08-10',
    previous: 'netsuite-integration-strategy',
    calls: ['/contact'],
  },
  {
    slug: 'netsuite-mcp-guide',
    minutes: 10,
    date: 'October 2025',
    day: '2025-10-01',
    author: 'President, Southbay ERP',
    previous: 'netsuite-integration-strategy',
    calls: ['/contact', site.bookingUrl ?? '/contact', '/#services'],
  },
];

const article = (slug: string) => page(`/resources/${slug}`);
const hrefs = ({ $ }: ReturnType<typeof page>, selector: string) =>
  $(selector)
    .toArray()
    .map((link) => $(link).attr('href'));
const headings = (slug: string, level = 'h2') => {
  const { $ } = article(slug);
  return $(`.prose > ${level}`)
    .toArray()
    .map((heading) => $(heading).text().trim());
};

describe.each(specified)('$slug', ({ slug, minutes, date, day, author = site.name, previous, next, calls }) => {
  const built = article(slug);
  const { $, html } = built;

  test('states its date, its author and its reading time', () => {
    const marks = $('.article-marks').text();
    expect(marks).toContain(`${minutes} min read`);
    expect(marks).toContain(`By ${author}`);
    expect($('.article-marks time').first().text()).toBe(date);
    expect($('.article-marks time').first().attr('datetime')).toBe(day);
    expect($('.article-marks time').last().attr('datetime')).toBe(updated);
  });

  test('links to the specified neighbors and the index, and ends with its calls to action', () => {
    expect(hrefs(built, 'a[rel=prev]')).toEqual(previous ? [`/resources/${previous}`] : []);
    expect(hrefs(built, 'a[rel=next]')).toEqual(next ? [`/resources/${next}`] : []);
    expect(hrefs(built, '.article-hero a')).toEqual(['/resources']);
    expect(hrefs(built, 'main > .dark a')).toEqual(calls);
    expect($('main').children().last().is('.dark')).toBe(true);
  });

  test('describes itself as an article', () => {
    const { '@graph': graph } = JSON.parse($('script[type="application/ld+json"]').text());
    const node = graph.find((one: Record<string, unknown>) => one['@type'] === 'Article');
    expect(node).toMatchObject({
      headline: $('title').text().replace(` | ${site.name}`, ''),
      description: $('meta[name=description]').attr('content'),
      datePublished: day,
      dateModified: updated,
      url: $('link[rel=canonical]').attr('href'),
      author: { name: author },
      keywords: $('meta[name=keywords]').attr('content')?.split(', '),
    });
  });

  test('lists its sections, and each heading links to itself', () => {
    const ids = $('.prose > h2')
      .toArray()
      .map((heading) => `#${$(heading).attr('id')}`);
    expect(hrefs(built, '.on-this-page a')).toEqual(ids);
    expect(hrefs(built, '.prose > h2 > a')).toEqual(ids);
  });

  test('has a drawing with a description, lines around its tables, and nothing from other sites', () => {
    expect($('.article-hero svg[role=img]').attr('aria-label')).toMatch(/.{30}/);
    $('.prose table').each((_, table) => {
      expect($(table).parent().is('.table-scroll[tabindex=0]')).toBe(true);
      expect($(table).find('th:not([scope])')).toHaveLength(0);
    });
    expect($('iframe, video, img[src^=http]')).toHaveLength(0);
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)="https?:(?![^"]*canonical)[^"]*\.(js|css)/);
  });

  test('adds no script to the scripts of every page', () => {
    expect(inlineScripts(built)).toHaveLength(inlineScripts(page('/contact')).length);
    expect(brotliSize(html)).toBeLessThanOrEqual(20_000);
  });
});

test('the implementation guide has five numbered sections with key actions, four services and a section on support', () => {
  const { $ } = article('netsuite-implementation-guide');
  expect(headings('netsuite-implementation-guide').filter((text) => /^\d\. /.test(text))).toEqual([
    '1. Business goals and requirements',
    '2. Stakeholders and team',
    '3. Data quality and migration',
    '4. Change management and training',
    '5. Timelines, budgets and resources',
  ]);
  expect($('.key-actions')).toHaveLength(5);
  expect($('.service-grid li')).toHaveLength(4);
  expect($('.callout').last().text()).toContain('Ongoing support');
});

test('the integration strategy has four steps, from the reasons to best practices', () => {
  expect(headings('netsuite-integration-strategy')).toEqual([
    'Why integrate NetSuite with other systems',
    'A four-step roadmap',
    'Why third-party integration is the future',
    'Example results',
    'Best practices',
  ]);
  expect(headings('netsuite-integration-strategy', 'h3').filter((text) => text.startsWith('Step '))).toHaveLength(4);
});

test('the ROI guide has its drivers, five pitfalls in a table, five methods and the expected results', () => {
  const { $ } = article('netsuite-roi-guide');
  expect(headings('netsuite-roi-guide')).toEqual(
    expect.arrayContaining([
      'ROI drivers',
      'Pitfalls that eat the return',
      'Five ways we maximize ROI',
      'Expected results',
    ]),
  );
  const pitfalls = $('table').filter((_, table) => $(table).find('th').first().text() === 'Pitfall');
  expect(
    pitfalls
      .find('th')
      .toArray()
      .map((cell) => $(cell).text()),
  ).toEqual(['Pitfall', 'Effect on ROI', 'How to avoid']);
  expect(pitfalls.find('tbody tr')).toHaveLength(5);
  expect($('.steps li')).toHaveLength(5);
});

test('the SuiteScript guide has five types of scripts, when to use each, practices, help and the reasons', () => {
  expect(headings('suitescript-guide', 'h3').filter((text) => /^\d\. /.test(text))).toEqual([
    '1. Client scripts',
    '2. User event scripts',
    '3. Suitelets',
    '4. Scheduled scripts',
    '5. RESTlets',
  ]);
  expect(headings('suitescript-guide')).toEqual(
    expect.arrayContaining(['When to use which', 'Best practices', 'How we help', 'Why it matters']),
  );
});

test('the recovery guide has the current situation, four causes, four steps and the reasons to choose the firm', () => {
  const all = headings('project-recovery');
  expect(all.slice(0, 4)).toEqual([
    'The reality of failed ERP projects',
    'Four causes behind most failed projects',
    'A four-step approach to recovery',
    'Reasons to choose us for a recovery',
  ]);
  expect(headings('project-recovery', 'h3')).toEqual([
    'Unclear scope and weak sponsorship',
    'Poor data',
    'Too much customization',
    'Too little time for testing, training and change',
    'Step 1: Assessment and diagnosis',
    'Step 2: Stabilize and secure',
    'Step 3: Remediate and rescue',
    'Step 4: Optimize and future-proof',
  ]);
});

test('the MCP guide has every specified section, a demo at 16:9 with its steps, and the advice on access', () => {
  const { $, css } = article('netsuite-mcp-guide');
  expect(headings('netsuite-mcp-guide')).toEqual([
    'Who this guide is for',
    'What the NetSuite MCP server is',
    'Business outcomes to expect',
    'Capabilities',
    'Four ways it changes reporting',
    'Use case: the weekly manufacturing report',
    'Common use cases',
    'Security practices',
    'AI limitations',
    'Best practices and testing checklist',
    'Professional setup',
    'Conclusion',
  ]);
  expect(headings('netsuite-mcp-guide', 'h3')).toHaveLength(4);
  expect($('.demo-frame')).toHaveLength(1);
  expect(css).toMatch(/\.demo-frame\{[^}]*aspect-ratio:16\s*\/\s*9/);
  expect(site.demoVideo).toBeNull();
  expect($('.transcript summary').text()).toBe('What the demo shows, step by step');
  expect($('main').text()).not.toMatch(/the presenter|transcript/i);
  const advice = $('#security-practices').nextUntil('h2').text();
  for (const part of ['dedicated integration user', 'view-only', 'List or View', 'no delete rights', '90 days']) {
    expect(advice).toContain(part);
  }
});

test('no page allows a frame if no video is configured', () => {
  expect(site.demoVideo).toBeNull();
  expect(readFileSync('.netlify/v1/config.json', 'utf8')).toContain("frame-src 'none'");
});

test('Resources shows five cards, newest first as specified, each with picture, category, date, title and description', () => {
  const built = page('/resources');
  const { $ } = built;
  expect($('h1').text()).toBe('Resources & Insights');
  expect($('main a').first().text().trim()).toBe('Back to Home');
  expect($('main a').first().attr('href')).toBe('/');
  const cards = $('main article')
    .toArray()
    .map((card) => [
      $(card).find('.category').text(),
      $(card).find('time').text(),
      $(card).find('a').attr('href')?.replace('/resources/', ''),
    ]);
  expect(cards).toEqual([
    ['AI & Automation', 'October 2025', 'netsuite-mcp-guide'],
    ['Strategy', 'August 11, 2025', 'netsuite-integration-strategy'],
    ['Recovery', 'August 10, 2025', 'project-recovery'],
    ['Implementation', 'July 14, 2025', 'netsuite-implementation-guide'],
    ['Development', 'July 15, 2025', 'suitescript-guide'],
  ]);
  $('main article').each((_, card) => {
    expect($(card).find('svg')).toHaveLength(1);
    expect($(card).find('h2').text()).toMatch(/.{10}/);
    expect($(card).find('h2 + p').text()).toMatch(/.{40}/);
    expect($(card).find('a').text()).toMatch(/^\s*Read more/);
  });
});

test('every article can be reached from a card, or from previous and next links', () => {
  const linked = new Set(
    [page('/resources'), ...specified.map(({ slug }) => article(slug))].flatMap((built) => hrefs(built, 'main a')),
  );
  for (const { slug } of specified) expect(linked).toContain(`/resources/${slug}`);
});

test('No button in a guide promises a booking if the firm has no booking link', () => {
  expect(site.bookingUrl).toBeNull();
  const { $ } = article('netsuite-mcp-guide');
  const labels = $('.closing-actions a')
    .toArray()
    .map((link) => $(link).text().trim());
  expect(labels).toEqual(['Contact us', 'Ask for a free demo', 'View our services']);
  const twin = read('/resources/netsuite-mcp-guide.md').toString();
  expect(twin).toContain('[Ask for a free demo]');
  expect(twin).not.toContain('Book a');
});
