import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Validator from '@adobe/structured-data-validator';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { describe, expect, test } from 'vitest';
import type { SearchEntry } from '../../src/domain/text/search.ts';
import { openSearch } from '../../src/lib/search.ts';
import { site } from '../../src/site.config.ts';
import { files, graphOf, page, pages, read, textOf } from './built-site.ts';

const origin = new URL(process.env['SITE_URL'] || site.url).origin;
const text = (address: string) => read(address).toString();
const { headers } = JSON.parse(readFileSync('dist/.netlify/v1/config.json', 'utf8')) as {
  headers: { for: string; values: Record<string, string> }[];
};

/** Alternative paths of a page (docs/product.md#pages-and-addresses). */
const aliases = new Map([
  ['/privacy-policy', '/privacy'],
  ['/terms-of-service', '/terms'],
]);
const originals = pages.filter(({ path }) => !aliases.has(path));
const hidden = ['/404', '/search', '/service-not-found'];
const findable = originals.filter(({ path }) => !hidden.includes(path));

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // These rules are about style. React and Astro write valid HTML that breaks them.
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'input-attributes': 'off',
      'no-implicit-button-type': 'off',
      'no-implicit-input-type': 'off',
      'void-style': 'off',
      'no-raw-characters': ['error', { relaxed: true }],
      'valid-id': ['error', { relaxed: true }],
      // The rule requires non-breaking spaces, so that phone numbers do not wrap. Here, each has a line to itself.
      'tel-non-breaking': 'off',
      'long-title': ['error', { maxlength: 80 }],
      'no-inline-style': 'error',
      // One form is a checklist, which is never sent, so it needs no submit button.
      'wcag/h32': 'off',
    },
  }),
);

test.each(files.filter((file) => file.endsWith('.html')))('%s is valid HTML', async (file) => {
  const { results } = await validator.validateString(text(file), file);
  const faults = results
    .flatMap(({ messages }) => messages)
    // Errors inside a template are expected, because a script completes the template in the browser.
    .filter(({ selector }) => !selector?.includes('> template >'))
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
  expect(faults).toEqual([]);
});

describe.each(pages)('$path', (built) => {
  const { path, html, $ } = built;
  const meta = (name: string) => $(`meta[name="${name}"], meta[property="${name}"]`).attr('content') ?? '';

  test('has a title, a description, keywords, a canonical URL and a preview for search engines and messages', () => {
    const canonical = `${origin}${aliases.get(path) ?? path}`;
    expect($('link[rel=canonical]').attr('href')).toBe(canonical);
    expect(meta('og:url')).toBe(canonical);
    expect(meta('robots')).toBe(hidden.includes(path) ? 'noindex, nofollow' : 'index, follow');
    expect(meta('description')).toMatch(/^.{20,160}$/);
    expect(meta('keywords')).toMatch(/\w/);
    expect(meta('og:title')).toBe($('title').text());
    expect(meta('og:site_name')).toBe(site.name);
    expect(meta('og:image:alt')).toMatch(/.{5,}/);
    const { origin: host, pathname: image } = new URL(meta('og:image'));
    expect(host).toBe(origin);
    expect(read(image).length).toBeLessThanOrEqual(60_000);
    const large = meta('twitter:card') === 'summary_large_image';
    expect(sizeOf(image)).toEqual(large ? [1200, 630] : [512, 512]);
    // The default picture is the icon of the site.
    expect(large || image === '/favicon.png').toBe(true);
    expect($('link:is([rel=icon], [rel=apple-touch-icon])')).toHaveLength(2);
  });

  test('can be read by screen readers: language, landmarks, headings, descriptions, and a link to skip the menu', () => {
    expect($('html').attr('lang')).toBe('en-US');
    expect([$('h1').length, $('main').length]).toEqual([1, 1]);
    const levels = $('main :is(h1,h2,h3,h4)')
      .toArray()
      .map(({ tagName }) => Number(tagName[1]));
    levels.forEach((level, index) => expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1));
    expect($('body a, body button').first().attr('href')).toBe('#main');
    for (const picture of $('img')) {
      const { alt, width, height } = picture.attribs;
      expect([alt?.trim(), Number(width) > 0, Number(height) > 0], picture.attribs['src']).toEqual([
        expect.stringMatching(/./),
        true,
        true,
      ]);
    }
    expect($('svg:not([role=img][aria-label], [aria-hidden=true])')).toHaveLength(0);
    expect($('table th:not([scope])')).toHaveLength(0);
  });

  test('has a paragraph, list, table or box around each text of an article or policy', () => {
    const texts = $('.prose')
      .contents()
      .toArray()
      .flatMap((node) => ('data' in node && node.nodeType === 3 ? node.data.trim() || [] : []));
    expect(texts).toEqual([]);
  });

  test('refers only to ids that exist', () => {
    for (const attribute of ['for', 'aria-controls', 'aria-labelledby', 'aria-describedby', 'popovertarget']) {
      for (const element of $(`[${attribute}]`)) {
        for (const id of $(element).attr(attribute)!.split(' ')) expect($(`[id="${id}"]`), id).toHaveLength(1);
      }
    }
  });

  test('is allowed by its own policy, which allows no other inline code and no frame', () => {
    const header = headers.find((entry) => entry.for === path)?.values['Content-Security-Policy'];
    const policy = header ?? $('meta[http-equiv="content-security-policy" i]').attr('content') ?? '';
    expect(policy).toMatch(/default-src 'self'/);
    // The made-up firm has no video. With one, the policy allows frames of its host.
    expect(policy).toContain("frame-src 'none'");
    expect(policy).not.toMatch(/unsafe-/);
    expect(html).not.toMatch(/<[^>]+\s(style|on[a-z]+)=/);
    const hashes = $('script:not([src]):not([type="application/ld+json"]), style')
      .toArray()
      .map((element) => `'sha256-${createHash('sha256').update($(element).text()).digest('base64')}'`);
    expect(policy.match(/'sha256-[^']+'/g)?.toSorted()).toEqual(hashes.toSorted());
    expect(html).not.toMatch(
      /<(script|link|img|iframe|video)[^>]+(src|href)="https?:(?![^"]*canonical)[^"]*\.(js|css)/,
    );
  });

  test('has structured data that breaks no rule, with absolute URLs, exact dates, and texts of the page', async () => {
    const graph = graphOf(built);
    const byType = Object.fromEntries(graph.map((node) => [[node['@type']].flat()[0]!, [structuredClone(node)]]));
    const issues = await new Validator().validate({ jsonld: byType, microdata: {}, rdfa: {} });
    expect(issues.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
    expect(new Set(graph.map((node) => node['@id'])).size).toBe(graph.length);
    const words = textOf($('main'));
    for (const [property, value] of leavesOf(graph)) {
      if (/^(@id|url|item|image|logo|mainEntityOfPage)$/.test(property)) expect(value).toMatch(/^https:\/\/\S+$/);
      if (property.startsWith('date')) expect(value).toMatch(/^\d{4}-\d\d-\d\d(T\S+Z)?$/);
    }
    for (const node of graph.filter(({ '@type': type }) => type === 'BreadcrumbList')) {
      const items = (node['itemListElement'] as { item: string }[]).map(({ item }) => item);
      expect(items).toEqual(expect.arrayContaining([`${origin}/`, $('link[rel=canonical]').attr('href')]));
    }
    for (const node of graph.filter(({ '@type': type }) => type === 'FAQPage')) {
      const questions = node['mainEntity'] as { name: string; acceptedAnswer: { text: string } }[];
      expect(questions.length).toBeGreaterThan(1);
      for (const { name, acceptedAnswer } of questions) {
        expect(words).toContain(textOf({ text: () => name }));
        expect(words).toContain(textOf({ text: () => acceptedAnswer.text }));
      }
    }
  });
});

/** Returns the width and height of a PNG file. */
function sizeOf(address: string): number[] {
  return [read(address).readUInt32BE(16), read(address).readUInt32BE(20)];
}

/** Returns every text in structured data, with the name of its property. */
function leavesOf(value: unknown, property = ''): [string, string][] {
  if (typeof value === 'string') return [[property, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, Array.isArray(value) ? property : name));
}

test('No two pages have the same title or the same description', () => {
  const titles = originals.map(({ $ }) => $('title').text());
  expect(titles.length).toBeGreaterThan(20);
  expect(new Set(titles).size).toBe(titles.length);
  const descriptions = originals.map(({ $ }) => $('meta[name=description]').attr('content'));
  expect(new Set(descriptions).size).toBe(descriptions.length);
});

describe('Every page that search engines may show', () => {
  const addresses = findable.map(({ path }) => new URL(path, origin).href);

  test('is in the sitemap by its canonical URL, in the list for people, and in llms.txt with a description', () => {
    const listed = [...text('/sitemap-0.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    // The blog is rendered on demand, so the build has no file for it.
    expect(listed.toSorted()).toEqual([...addresses, `${origin}/blog`].toSorted());
    const shown = page('/sitemap')
      .$('main a')
      .toArray()
      .map(({ attribs }) => attribs['href']);
    expect(shown).toEqual(expect.arrayContaining(findable.map(({ path }) => path)));
    expect(new Set(shown).size).toBe(shown.length);
    const described = [...text('/llms.txt').matchAll(/^- \[[^\]]+\]\((\S+?)\): .{5,}$/gm)];
    expect(described.map(([, address]) => address)).toEqual(expect.arrayContaining(addresses.slice(1)));
  });

  test('can be found by the site’s search, which leads to headings that exist', async () => {
    const entries = JSON.parse(text('/search.json')) as SearchEntry[];
    for (const { href, title } of entries.filter(({ kind, href }) => kind !== 'Post' && href !== '/blog')) {
      const [path, fragment] = href.split('#') as [string, string?];
      if (fragment) expect(textOf(page(path).$(`[id="${fragment}"]`)), href).toContain(title);
    }
    expect(new Set(entries.map(({ href }) => href)).size).toBe(entries.length);
    expect(entries.filter((entry) => /[<{}]|&\w+;|undefined|text-alert/.test(entry.text))).toEqual([]);
    const textAt = (address: string) => entries.find(({ href }) => href === address)?.text;
    expect(textAt('/resources/netsuite-mcp-guide#common-use-cases')).toContain('Team · Question · Source to name');
    expect(entries.filter(({ text }) => /[.?!]: /.test(text))).toEqual([]);
    expect(textAt('/privacy#information-that-we-collect')).toContain('on the careers page: your name');
    const sought = findable.filter((one) => /^\/(services|resources)\//.test(one.path));
    expect(sought.length).toBeGreaterThan(10);
    for (const { path } of sought) {
      const found = entries.filter(({ href }) => href.split('#')[0] === path);
      expect(found.length, path).toBeGreaterThanOrEqual(path.startsWith('/resources/') ? 5 : 1);
    }
    const engine = await openSearch(entries);
    const proposed = page('/search').$('main a[href*="?q="]').toArray();
    expect(proposed.length).toBeGreaterThan(3);
    for (const { attribs } of proposed) {
      const question = new URL(attribs['href']!, origin).searchParams.get('q')!;
      expect(engine.find(question).length, question).toBeGreaterThan(1);
    }
  });

  test('has the preview picture of its kind, in the size that social networks recommend', () => {
    const pictureOf = ({ $ }: (typeof findable)[number]) =>
      new URL($('meta[property="og:image"]').attr('content')!).pathname;
    const illustrated = findable.filter((one) => /^\/(services|resources|project-rescue)/.test(one.path));
    expect(illustrated.length).toBeGreaterThan(10);
    for (const { path } of illustrated) {
      const kind = path.startsWith('/resources') ? 'resources' : 'services';
      expect(pictureOf(page(path)), path).toBe(`/social/${kind}.png`);
    }
    expect(sizeOf('/social/blog.png')).toEqual([1200, 630]);
  });
});

test('robots.txt blocks the admin area and names the sitemaps', () => {
  expect(text('/robots.txt').split('\n')).toEqual(
    expect.arrayContaining([
      ...['User-agent: *', 'Disallow: /admin', `Sitemap: ${origin}/sitemap-index.xml`],
      `Sitemap: ${origin}/sitemap-posts.xml`,
    ]),
  );
  expect(text('/sitemap-index.xml')).toContain(`<loc>${origin}/sitemap-posts-1.xml</loc>`);
  expect(text('/sitemap-index.xml')).toContain(`<loc>${origin}/sitemap-0.xml</loc>`);
});

test('security.txt says where to report a vulnerability, and expires within a year', () => {
  const lines = text('/.well-known/security.txt').trim().split('\n');
  const fields = Object.fromEntries(lines.toReversed().map((line) => line.split(': ') as [string, string]));
  expect(fields).toMatchObject({
    Contact: `mailto:${site.email}`,
    Canonical: `${origin}/.well-known/security.txt`,
    'Preferred-Languages': 'en',
  });
  const days = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(300);
  expect(days).toBeLessThan(365);
});

test('The icon exists in every size that browsers and phones request', () => {
  expect(sizeOf('/favicon.png')).toEqual([512, 512]);
  expect(sizeOf('/apple-touch-icon.png')).toEqual([180, 180]);
  expect(read('/favicon.ico').subarray(0, 8)).toEqual(Buffer.from([0, 0, 1, 0, 1, 0, 32, 32]));
});

test('Each CSV template has a link', () => {
  const csv = files.filter((file) => /^\/templates\/.*\.csv$/.test(file));
  expect(csv.length).toBe(5);
  const linked = pages.flatMap(({ $ }) =>
    $('a')
      .toArray()
      .map(({ attribs }) => attribs['href']),
  );
  expect(csv.filter((file) => !linked.includes(file))).toEqual([]);
});
