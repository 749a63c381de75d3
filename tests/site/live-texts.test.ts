import { describe, expect, test } from 'vitest';
import { withSections, withYear, yearOf } from '../../host/page-words.ts';
import { firstSections, shownSections } from '../../netlify/server/publishing/first-sections.ts';
import { sectionPages } from '../../src/domain/section.ts';
import { copyrightYear } from '../../src/domain/copyright-year.ts';
import { site } from '../../src/site.config.ts';
import { page, pages } from './built-site.ts';

const changed = Object.fromEntries(
  [...firstSections.keys()].map((key) => [key, { title: `<${key}> & its title`, content: `${key}, "content"` }]),
);

test('The host keeps all pages with an editable text up to date, and these pages request newer texts until then', () => {
  const showing = pages.filter(({ $ }) => $('[data-section]').length > 0).map(({ path }) => path);
  expect(showing.toSorted()).toEqual([...sectionPages].toSorted());
  for (const path of sectionPages) expect(page(path).$('html').attr('id')).toBe('now');
});

test.each([...firstSections])(
  'The text %s is at the position that the editor states, with every part',
  (key, { location }) => {
    const shown = pages.flatMap(({ path, $ }) =>
      $(`[data-section="${key}"]`)
        .toArray()
        .map((element) => ({ path, part: element.attribs['data-section-part'] ?? 'title', element })),
    );
    if (location.href === null) return expect(shown).toEqual([]);
    const [path, anchor] = location.href.split('#');
    const here = shown.filter((one) => one.path === path);
    expect(
      here.map(({ part }) => part).toSorted(),
      `On ${path}, mark each part with data-section="${key}" (CONTRIBUTING.md#add-a-home-section).`,
    ).toEqual((['content', 'title'] as const).filter((part) => location[part] !== null));
    for (const { element } of here) {
      if (anchor) expect(page(path!).$(element).closest(`#${anchor}`), `Show it in id="${anchor}".`).toHaveLength(1);
    }
  },
);

describe.each(sectionPages.map(page))('$path with other texts', ({ html, $ }) => {
  const places = $('[data-section]').toArray();

  test('shows each of them at the position of the default text', async () => {
    const { load } = await import('cheerio');
    const now = load(withSections(html, changed));
    expect(places.length).toBeGreaterThan(2);
    for (const place of places) {
      const { 'data-section': key, 'data-section-part': part } = place.attribs;
      const selector = `[data-section="${key}"]${part ? `[data-section-part="${part}"]` : ':not([data-section-part])'}`;
      expect(now(selector).text(), selector).toBe(changed[key!]?.[part === 'content' ? 'content' : 'title']);
    }
    expect(now('html').attr('id')).toBeUndefined();
  });

  test('is otherwise the same page: scripts, styles, structured data', () => {
    const before = html.replace(' id="now"', '');
    const there = withSections(html, changed);
    expect(there.match(/<(script|style|meta|link|template)[^>]*>/g)).toEqual(
      before.match(/<(script|style|meta|link|template)[^>]*>/g),
    );
    expect(there.length - before.length).toBeLessThan(1_000);
  });
});

test('Text that the build already had changes only the marker', () => {
  for (const path of sectionPages) {
    const { html, $ } = page(path);
    const built = { ...shownSections([]) };
    for (const place of $('[data-section]').toArray()) {
      const { 'data-section': key = '', 'data-section-part': part } = place.attribs;
      const words = { title: '', content: '', ...built[key] };
      built[key] = { ...words, [part ?? 'title']: $(place).text().replace(/\s+/g, ' ').trim() };
    }
    expect(withSections(html, built)).toBe(html.replace(' id="now"', ''));
  }
});

test.each(pages)('$path has one copyright year, which the host can replace', ({ html, $ }) => {
  const year = copyrightYear(new Date(), site.timeZone);
  expect(yearOf(html)).toBe(year);
  const later = withYear(html, '2099');
  expect(later).toContain(`© <span class="figures">2099</span>`);
  expect(later.length).toBe(html.length);
  expect($('footer').text()).toContain(`© ${year}`);
});
