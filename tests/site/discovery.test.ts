import { describe, expect, test } from 'vitest';
import { site } from '../../src/site.config.ts';
import { files, page, pages, read } from './built-site.ts';

const origin = new URL(process.env['SITE_URL'] || site.url).origin;
const text = (address: string) => read(address).toString();

/** The paths that search engines may index, each once. */
const findable = pages
  .filter(({ path, $ }) => {
    const canonical = new URL($('link[rel=canonical]').attr('href')!).pathname;
    return canonical === path && !$('meta[name=robots]').attr('content')!.startsWith('noindex');
  })
  .map(({ path }) => path);

test('the sitemap for people names every public page', () => {
  const { $ } = page('/sitemap');
  const linked = $('main a')
    .toArray()
    .map((link) => $(link).attr('href'));
  expect(linked).toEqual(expect.arrayContaining(findable));
  expect(new Set(linked).size).toBe(linked.length);
});

test('llms.txt names every public page, or its Markdown, with a description', () => {
  const listed = [...text('/llms.txt').matchAll(/^- \[[^\]]+\]\((\S+)\): .{5,}$/gm)].map(([, address]) => address);
  const readable = findable.map((path) => (files.includes(`${path}.md`) ? `${path}.md` : path));
  expect(listed).toEqual(expect.arrayContaining(readable.map((path) => new URL(path, origin).href)));
});

test('security.txt says where to report a vulnerability, and expires within a year', () => {
  const fields = new Map<string, string[]>();
  for (const line of text('/.well-known/security.txt').trim().split('\n')) {
    const [, name = '', value = ''] = /^([A-Z][A-Za-z-]+): (\S.*)$/.exec(line) ?? [];
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  expect([...fields.keys()].sort()).toEqual(['Canonical', 'Contact', 'Expires', 'Preferred-Languages']);
  expect(fields.get('Contact')?.[0]).toBe(`mailto:${site.email}`);
  expect(fields.get('Canonical')).toEqual([`${origin}/.well-known/security.txt`]);
  const days = (Date.parse(fields.get('Expires')?.[0] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(300);
  expect(days).toBeLessThan(365);
});

test('robots.txt blocks the admin area and names the sitemap', () => {
  const lines = text('/robots.txt').split('\n');
  expect(lines).toContain('User-agent: *');
  expect(lines).toContain('Disallow: /admin');
  expect(lines).toContain(`Sitemap: ${origin}/sitemap-index.xml`);
  expect(lines).toContain(`Sitemap: ${origin}/sitemap-posts.xml`);
  expect(text('/sitemap-index.xml')).toContain(`<loc>${origin}/sitemap-posts-1.xml</loc>`);
  expect(text('/sitemap-index.xml')).toContain(`<loc>${origin}/sitemap-0.xml</loc>`);
});

describe('The icon', () => {
  const size = (address: string) => [read(address).readUInt32BE(16), read(address).readUInt32BE(20)];

  test('exists in every size that browsers and phones request', () => {
    expect(size('/favicon.png')).toEqual([512, 512]);
    expect(size('/apple-touch-icon.png')).toEqual([180, 180]);
    expect(read('/favicon.ico').subarray(0, 8)).toEqual(Buffer.from([0, 0, 1, 0, 1, 0, 32, 32]));
    const { icons } = JSON.parse(text('/site.webmanifest')) as { icons: { src: string; sizes: string }[] };
    for (const { src, sizes } of icons) {
      expect(files).toContain(src);
      if (sizes !== 'any') expect(size(src).join('x')).toBe(sizes);
    }
  });

  test.each(pages)('is linked from $path', ({ $ }) => {
    const named = $('link:is([rel=icon], [rel=apple-touch-icon], [rel=manifest])').toArray();
    expect(named).toHaveLength(3);
    for (const link of named) expect(files).toContain($(link).attr('href'));
    expect($('meta[name=theme-color][media]')).toHaveLength(2);
  });
});

describe('A link preview', () => {
  test.each(findable.map(page))('of $path has its picture in the required size, or else the icon', ({ $ }) => {
    const image = new URL($('meta[property="og:image"]').attr('content')!).pathname;
    const [width, height] = [read(image).readUInt32BE(16), read(image).readUInt32BE(20)];
    const large = $('meta[name="twitter:card"]').attr('content') === 'summary_large_image';
    expect([width, height]).toEqual(large ? [1200, 630] : [512, 512]);
    expect(read(image).length).toBeLessThanOrEqual(60_000);
    expect($('meta[property="og:image:alt"]').attr('content')).toMatch(/.{5,}/);
  });

  test('has a picture for the home page, every service, every article and the blog', () => {
    const pictured = findable.filter((path) => /^\/($|services\/|resources\/)/.test(path));
    expect(pictured.length).toBeGreaterThan(6);
    for (const path of pictured) {
      expect(files).toContain(path === '/' ? '/social/home.png' : `/social${path}.png`);
    }
    expect(files).toContain('/social/blog.png');
  });
});
