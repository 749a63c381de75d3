import { join } from 'node:path';
import { type CheerioAPI, load } from 'cheerio';
import { markdownToHtml } from 'satteri';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Rules, loadRules } from '../../host/rules.ts';
import { files, page, pages, read } from './built-site.ts';

const written = pages.filter(({ path }) => /^\/(resources|services)\/./.test(path)).map(({ path }) => path);

/**
 * Returns the words of a text for comparison. Quotation marks are curly on the page, and straight in its Markdown
 * version.
 */
const wordsOf = (text: string): string =>
  text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"').replace(/\s+/g, ' ').replace(/ :/g, ':').trim();

const textsOf = ($: CheerioAPI, selector: string): string[] =>
  $(selector)
    .toArray()
    .map((element) => wordsOf($(element).text()));

const headingsOf = ($: CheerioAPI, within: string): string[] =>
  $(`${within}:is(h1, h2, h3)`)
    .toArray()
    .map((element) => `${$(element).prop('tagName')} ${wordsOf($(element).text())}`);

test('Every article and every service is also a Markdown file; the only other one is the list of licenses', () => {
  expect(written.length).toBeGreaterThanOrEqual(12);
  expect(files.filter((file) => file.endsWith('.md')).toSorted()).toEqual(
    ['/licenses.md', ...written.map((path) => `${path}.md`)].toSorted(),
  );
});

describe.each(written)('%s.md', (path) => {
  const { $ } = page(path);
  const text = read(`${path}.md`).toString();
  const twin = load(markdownToHtml(text).html);

  test('is linked from its page, and links to it', () => {
    expect($('link[rel=alternate][type="text/markdown"]').attr('href')).toBe(`${path}.md`);
    expect(twin('h1 ~ p a').first().attr('href')).toBe($('link[rel=canonical]').attr('href'));
    expect(wordsOf(twin('h1 + blockquote').text())).toBe(wordsOf($('meta[name=description]').attr('content')!));
  });

  test('has the headings of the page, in their order', () => {
    const shown = headingsOf($, 'main ').filter((heading) => heading !== 'H2 Related reading');
    expect(headingsOf(twin, '')).toEqual(shown);
  });

  test('has its tables and its code', () => {
    for (const selector of ['tr', 'td', 'pre']) {
      expect(textsOf(twin, selector)).toEqual(textsOf($, `main ${selector}`));
    }
  });

  test('contains every sentence of the text', () => {
    const said = wordsOf(twin('body').text());
    const sentences = textsOf(
      $,
      '.prose :is(p, li), .service-words p, .benefits :is(li > p, .benefit-short), .questions :is(dt, dd)',
    );
    expect(sentences).not.toEqual([]);
    expect(sentences.filter((sentence) => !said.includes(sentence))).toEqual([]);
  });

  test('contains only Markdown', () => {
    const withoutCode = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]+`/g, '');
    expect(withoutCode).not.toMatch(/(?<!\\)<|[{}]|\bundefined\b|\[object /);
  });

  test('has only absolute URLs', () => {
    const addresses = twin('[href], [src]')
      .toArray()
      .map((element) => twin(element).attr('href') ?? twin(element).attr('src'));
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !/^(https?:\/\/|mailto:|tel:)/.test(address!))).toEqual([]);
  });
});

describe('On both hosts', () => {
  let rules: Rules;
  beforeAll(async () => {
    const [dist, frameworks] = [join(process.cwd(), 'dist'), join(process.cwd(), '.netlify/v1/config.json')];
    rules = await loadRules({ config: join(process.cwd(), 'netlify.toml'), dist, frameworks });
  });

  test.each(written)('%s.md has the Markdown type, and search engines list its page instead', (path) => {
    const headers = rules.headersFor(`${path}.md`);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(rules.headersFor(path).has('x-robots-tag')).toBe(false);
  });
});
