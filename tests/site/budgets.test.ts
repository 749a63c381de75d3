import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { files, page, pages, read, scriptGraph, sentBytes, smallest } from './built-site.ts';

const fonts = files.filter((file) => file.endsWith('.woff2'));
const bytesOf = (scripts: Iterable<string>) => [...scripts].reduce((sum, file) => sum + sentBytes(file), 0);

/** Returns each island of a page with all scripts that its hydration needs, including React. */
const islandsOf = (path: string) =>
  page(path)
    .$('astro-island')
    .toArray()
    .map(({ attribs }) => ({
      name: (JSON.parse(attribs['opts']!) as { name: string }).name,
      scripts: scriptGraph([attribs['component-url']!, attribs['renderer-url']!]),
    }));

describe.each(pages)('$path', ({ path, file, $, css }) => {
  const home = path === '/';
  const article = path.startsWith('/resources/');

  test('fits in one flight of packets, or is an article, and needs at most five requests', () => {
    // With its headers of 1,070 bytes, the home page has at most 14,600 bytes.
    expect(sentBytes(file)).toBeLessThanOrEqual(home ? 13_530 : article ? 20_000 : 12_600);
    expect(1 + fonts.length + $('img, link[rel=icon]').length).toBeLessThanOrEqual(5);
    if (!article) expect($('*').length).toBeLessThanOrEqual(home ? 750 : 600);
  });

  test('has no render-blocking resource, no script file and few inline scripts', () => {
    expect($('script[src], link[rel=stylesheet], link[rel=modulepreload]')).toHaveLength(0);
    expect(css).not.toContain('@import');
    const scripts = $('script:not([src], [type*=json], [type=speculationrules])').text();
    expect(smallest(scripts)).toBeLessThanOrEqual($('astro-island').length > 0 ? 2_100 : 1_000);
  });

  test('preloads its two small fonts, which replace fallbacks of the same size as soon as they arrive', () => {
    const preloaded = $('link[rel=preload][as=font]').toArray();
    expect(preloaded.map(({ attribs }) => attribs['href']).toSorted()).toEqual(fonts.toSorted());
    expect(css.match(/font-display:\w+/g)).toEqual(['font-display:swap', 'font-display:swap']);
    expect([css.match(/[;{]size-adjust/g)?.length, css.match(/ascent-override/g)?.length]).toEqual([3, 4]);
    expect(fonts).toHaveLength(2);
    expect(fonts.reduce((sum, font) => sum + read(font).length, 0)).toBeLessThanOrEqual(40_000);
  });

  test('uses at most three weights, and only the font sizes of the design', () => {
    const sizes = [...css.matchAll(/[;{]font(?:-size)?:([^;}]+)/g)].map(([, value]) => value!);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter((value) => !/^inherit|var\(--text-/.test(value))).toEqual([]);
    const weights = css.matchAll(/(?:font-weight:\s*|[;{]font:\s*)(\d{3})(?!\s*\d{3})/g);
    expect(new Set([...weights].map(([, weight]) => weight)).size).toBeLessThanOrEqual(3);
  });
});

test('An island costs at most 62 KB, including React', () => {
  expect(islandsOf('/').map(({ name }) => name)).toEqual(['Header', 'ContactWidget', 'ServiceTabs']);
  const timeline = islandsOf('/services/implementation').find(({ name }) => name === 'ProcessTimeline');
  expect(timeline).toBeDefined();
  for (const { name, scripts } of [...islandsOf('/'), timeline!]) {
    expect(bytesOf(scripts), name).toBeLessThanOrEqual(62_000);
  }
});

test('The code that a first input or a form loads contains no React', () => {
  const later = /<template id="later"><script[^>]* src="([^"]+)"/.exec(page('/').html)?.[1];
  const fetched = [...scriptGraph([later!], { later: true })];
  expect(fetched.length).toBeGreaterThan(2);
  expect(fetched.filter((file) => /React|useState/.test(read(file).toString()))).toEqual([]);
});

describe('The admin area', () => {
  const $ = load(read('/admin.html').toString());
  const preloaded = $('link[rel=modulepreload]')
    .toArray()
    .map((link) => $(link).attr('href')!);
  const first = scriptGraph([$('script[type=module][src]').attr('src')!, ...preloaded]);
  const editors = files.filter((file) => file.endsWith('.js') && read(file).includes('ProseMirror'));

  test('loads its first screen in 115 KB, including the document and styles, and preloads each of its files', () => {
    expect(first.size).toBeGreaterThan(1);
    expect(sentBytes('/admin.html') + bytesOf(first)).toBeLessThanOrEqual(115_000);
    expect([...first].filter((file) => !preloaded.includes(file))).toEqual([]);
  });

  test('loads the editor, of 150 KB, when the first post is opened, and not before', () => {
    expect(editors.length).toBeGreaterThan(0);
    expect(editors.filter((file) => first.has(file))).toEqual([]);
    const added = [...scriptGraph(editors)].filter((file) => !first.has(file));
    expect(bytesOf(added)).toBeLessThanOrEqual(150_000);
  });
});

test('The search index takes at most 60 KB', () => {
  expect(sentBytes('/search.json')).toBeLessThanOrEqual(60_000);
});

test('No file for browsers contains server code or reads the server’s environment', () => {
  const scripts = files.filter((file) => file.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(20);
  const server = /SESSION_SECRET|ADMIN_PASSWORD|@libsql|from"node:|process\.env/;
  expect(scripts.filter((file) => server.test(read(file).toString()))).toEqual([]);
});

test('The site publishes the licenses of all packages in its browser code', () => {
  const notice = read('/licenses.md').toString();
  for (const name of ['react-dom', '@tiptap/core', 'prosemirror-view']) expect(notice).toContain(name);
});
