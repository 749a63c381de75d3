import Validator from '@adobe/structured-data-validator';
import { describe, expect, test } from 'vitest';
import { type BuiltPage, pages } from './built-site.ts';

interface Node {
  readonly '@type': string | string[];
  readonly '@id'?: string;
  readonly [property: string]: unknown;
}

function graphOf({ $ }: BuiltPage): Node[] {
  const scripts = $('script[type="application/ld+json"]').toArray();
  expect(scripts.length).toBeLessThanOrEqual(1);
  return scripts.flatMap((script) => JSON.parse($(script).text())['@graph'] as Node[]);
}

const typesOf = ({ '@type': type }: Node): string[] => [type].flat();
const described = pages.filter(({ $ }) => $('script[type="application/ld+json"]').length > 0);
const ofType = (type: string) =>
  described.flatMap((built) =>
    graphOf(built)
      .filter((node) => typesOf(node).includes(type))
      .map((node) => ({ ...built, node })),
  );

/** Returns every text in a node, with the name of its property. */
function texts(value: unknown, property = ''): [string, string][] {
  if (typeof value === 'string') return [[property, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => texts(inner, Array.isArray(value) ? property : name));
}

describe.each(described)('$path', (built) => {
  const graph = graphOf(built);

  test('breaks no rules for rich results', async () => {
    const byType = Object.fromEntries(graph.map((node) => [typesOf(node)[0]!, [structuredClone(node)]]));
    const issues = await new Validator().validate({ jsonld: byType, microdata: {}, rdfa: {} });
    expect(issues.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
  });

  test('names each thing once, with absolute URLs and exact dates', () => {
    const ids = graph.map((node) => node['@id']);
    expect(new Set(ids).size).toBe(graph.length);
    for (const [property, text] of texts(graph)) {
      if (/^(@id|url|item|image|logo|sameAs|mainEntityOfPage)$/.test(property)) expect(text).toMatch(/^https:\/\/\S+$/);
      if (/^date/.test(property)) expect(text).toMatch(/^\d{4}-\d\d-\d\d(T\S+Z)?$/);
    }
  });
});

test('the site describes itself with the eight specified types', () => {
  const kinds = new Set(described.flatMap((built) => graphOf(built).flatMap(typesOf)));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      ...['Organization', 'WebSite', 'LocalBusiness', 'ProfessionalService'],
      ...['Service', 'FAQPage', 'Article', 'BreadcrumbList'],
    ]),
  );
});

test.each(ofType('BreadcrumbList'))('the breadcrumbs of $path start at home and end there', ({ node, $ }) => {
  const items = (node['itemListElement'] as { item: string }[]).map(({ item }) => item);
  expect(new URL(items[0]!).pathname).toBe('/');
  expect(items.at(-1)).toBe($('link[rel=canonical]').attr('href'));
  for (const item of items) expect(pages.map(({ path }) => path)).toContain(new URL(item).pathname);
});

test.each(ofType('Article'))('the article at $path has the data of its page', ({ node, $ }) => {
  expect(node).toMatchObject({ author: { name: expect.any(String) }, keywords: expect.any(Array) });
  expect(node['description']).toBe($('meta[name=description]').attr('content'));
  expect(node['image']).toBe($('meta[property="og:image"]').attr('content'));
  expect(String(node['dateModified']) >= String(node['datePublished'])).toBe(true);
});

test.each(ofType('Service'))('the service at $path has its price on request', ({ node }) => {
  expect(node).toMatchObject({ offers: { price: 'Contact for Quote', priceCurrency: 'USD' } });
});

test.each(ofType('FAQPage'))('the questions of $path are on the page with the same text', ({ node, $ }) => {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const words = plain($('main').text());
  const questions = node['mainEntity'] as { name: string; acceptedAnswer: { text: string } }[];
  for (const { name, acceptedAnswer } of questions) {
    expect(words).toContain(plain(name));
    expect(words).toContain(plain(acceptedAnswer.text));
  }
});
