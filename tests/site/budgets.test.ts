import { describe, expect, test } from 'vitest';
import { brotliSize, files, inlineScripts, page, pages, read, scriptGraph } from './built-site.ts';

const fonts = files.filter((file) => file.endsWith('.woff2'));

/** Returns each island of the home page with all scripts that its hydration needs, including React. */
function islands(): { name: string; scripts: Set<string> }[] {
  const { $ } = page('/');
  return $('astro-island')
    .toArray()
    .map((island) => ({
      name: JSON.parse($(island).attr('opts')!).name,
      scripts: scriptGraph([$(island).attr('component-url')!, $(island).attr('renderer-url')!]),
    }));
}

describe.each(pages)('$path', (built) => {
  const { path, html, $, css } = built;
  const home = path === '/';
  const article = path.startsWith('/resources/');

  test('fits in one flight of packets', () => {
    expect(brotliSize(html)).toBeLessThanOrEqual(home ? 14_600 : article ? 20_000 : 12_000);
  });

  test('has no render-blocking resources and loads no script file', () => {
    expect($('script[src], link[rel=stylesheet], link[rel=modulepreload]').length).toBe(0);
    expect(css).not.toContain('@import');
  });

  test('has few inline scripts', () => {
    expect(brotliSize(inlineScripts(built).join(''))).toBeLessThanOrEqual($('astro-island').length > 0 ? 1_800 : 1_000);
  });

  test('needs at most five requests', () => {
    const pictures = $('img').length;
    const icons = $('link[rel=icon]').length;
    expect(1 + fonts.length + pictures + icons).toBeLessThanOrEqual(5);
  });

  test.skipIf(article)('has a limited number of elements', () => {
    expect($('*').length).toBeLessThanOrEqual(home ? 750 : 600);
  });

  test('uses only the font sizes and weights of the design', () => {
    const literal = [...css.matchAll(/[;{]font(?:-size)?:([^;}]+)/g)]
      .map(([, value]) => value!)
      .filter((value) => !/^(inherit|var\(--text-)|var\(--text-/.test(value));
    expect(literal).toEqual([]);
    const weights = [...css.matchAll(/(?:font-weight:\s*|[;{]font:\s*)(\d{3})(?!\s*\d{3})/g)].map(
      ([, weight]) => weight,
    );
    expect(new Set(weights).size).toBeLessThanOrEqual(3);
  });
});

test('there are two small fonts, one of them preloaded, with fallbacks of the same size', () => {
  const sizes = fonts.map((font) => read(font).length);
  expect(fonts).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(40_000);
  for (const { $, css } of pages) {
    const preloaded = $('link[rel=preload][as=font]');
    expect(preloaded.length).toBe(1);
    expect(fonts).toContain(preloaded.attr('href'));
    expect(read(preloaded.attr('href')!).length).toBeLessThanOrEqual(20_000);
    expect(css.match(/[;{]size-adjust/g)).toHaveLength(2);
    expect(css.match(/ascent-override/g)).toHaveLength(2);
  }
});

test('an island costs at most 62 KB, including React', () => {
  expect(islands().map(({ name }) => name)).toEqual(['Header', 'ContactWidget', 'ServiceTabs']);
  for (const { name, scripts } of islands()) {
    const bytes = [...scripts].reduce((sum, file) => sum + brotliSize(read(file)), 0);
    expect(bytes, name).toBeLessThanOrEqual(62_000);
  }
});

test('the code that a first input or a form loads contains no React', () => {
  const react = islands()
    .flatMap(({ scripts }) => [...scripts])
    .filter((file) => /React|useState/.test(read(file).toString()));
  const later = /<template id="later"><script[^>]* src="([^"]+)"/.exec(page('/').html)?.[1];
  expect(later).toBeDefined();
  const fetched = scriptGraph([later!], { later: true });
  expect(fetched.size).toBeGreaterThan(2);
  expect([...fetched].filter((file) => react.includes(file))).toEqual([]);
});

test('no file for browsers contains server code', () => {
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    expect(read(file).toString(), file).not.toMatch(/SESSION_SECRET|@libsql|from"node:|process\.env/);
  }
});
