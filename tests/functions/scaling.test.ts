import { describe, expect, test } from 'vitest';
import { postBody } from '../../src/components/post-body.ts';
import { standalone } from '../../src/data/standalone.ts';
import { contentProblem } from '../../src/domain/post-input.ts';
import { postDescription, postText, readingMinutes } from '../../src/domain/post-text.ts';
import { slugOf } from '../../src/domain/slug.ts';
import { documentKindOf } from '../../netlify/server/files/document-kind.ts';
import { kindOf } from '../../netlify/server/files/kind.ts';
import { PictureError, cleanPicture } from '../../netlify/server/files/picture.ts';
import { csvRow } from '../../netlify/server/http/csv.ts';
import { ownPage } from '../../netlify/server/http/own-page.ts';
import { sanitizedPost } from '../../netlify/server/posts/post-html.ts';
import { suspicionsAbout } from '../../netlify/server/submissions/spam.ts';
import { growthOf, longestStall, stallOf, superLinear, timeOf } from '../support/stall.ts';

/** The HTML that each large post repeats, by the name of its test. */
const posts: Record<string, string> = {
  headings: '<h2>Same title</h2>',
  'headings with titles of their own': '<h3>a #</h3>',
  'opened headings': '<h2>',
  'closed headings': '</h2>',
  tables: '<table><tbody><tr><td>x</td></tr></tbody></table>',
  'opened tables': '<table>',
  'opened code': '<pre>',
  pictures: '<img src="/uploads/a.png" alt="b">',
  'opened pictures': '<img src="',
  paragraphs: '<p>The <strong>ledger</strong> is <a href="/contact">closed</a>.</p>',
  hyphens: '-',
  'hyphens and letters': 'a-',
  'angle brackets': '<',
  'closed angle brackets': '>',
  'beginnings of tags': '<a ',
  'beginnings of scripts': '<script',
  spaces: ' ',
  'tabs and letters': '\t a',
  references: '&amp;',
  accents: '\u0316\u0301',
};

describe('Showing a post takes linear time if it is full of', () => {
  const readers: Record<string, (html: string) => unknown> = {
    'its page': postBody,
    'its words': postText,
    'its reading time': readingMinutes,
    'its description': (content) => postDescription({ excerpt: null, content }),
    'its excerpt': (excerpt) => postDescription({ excerpt, content: '' }),
    'its place in a feed': (html) => standalone(html, new URL('https://firm.example/blog/x')),
    'its slug': slugOf,
  };
  test.for(Object.entries(posts))('%s', ([, unit]) => {
    for (const [name, read] of Object.entries(readers)) {
      const size = Math.ceil(30_000 / unit.length);
      expect(
        growthOf((count) => unit.repeat(count), read, size),
        name,
      ).toBeLessThan(superLinear);
    }
  });
});

test('30,000 headings are shown quickly, and the first 300 have anchors', () => {
  const html = '<h2>Close the books</h2>'.repeat(30_000);
  expect(timeOf(() => postBody(html))).toBeLessThan(longestStall);
  const { headings, html: shown } = postBody(html);
  expect(headings).toHaveLength(300);
  expect(new Set(headings.map(({ slug }) => slug)).size).toBe(300);
  expect(headings.slice(0, 2).map(({ slug }) => slug)).toEqual(['part-close-the-books', 'part-close-the-books--2']);
  expect(shown.match(/<h2/g)).toHaveLength(30_000);
});

test('The policy of a page is generated in linear time from a sanitized post', async () => {
  for (const unit of Object.values(posts)) {
    const sized = async (count: number) => await sanitizedPost(unit.repeat(count));
    const count = Math.ceil(3_000 / unit.length);
    const [small, large] = [await sized(count), await sized(8 * count)];
    const make = (size: number) => (size === 1 ? small : large);
    const policy = (html: string) => ownPage("default-src 'self' 'sha256-abc'", html);
    expect(growthOf(make, policy, 1), unit).toBeLessThan(superLinear);
  }
});

describe('The largest post is sanitized quickly if it is full of', () => {
  test.for(Object.entries(posts))('%s', async ([, unit]) => {
    // Finds the largest post that the validation accepts.
    let count = Math.floor(300_000 / unit.length);
    while (contentProblem(unit.repeat(count)) !== null) count = Math.floor(count * 0.9);
    await sanitizedPost('<p>loads the sanitizer</p>');
    const { stall } = await stallOf(() => sanitizedPost(unit.repeat(count)));
    expect(stall).toBeLessThan(2 * longestStall);
  });
});

test('A post that is too large gets an error with the limit in characters, elements or pictures', () => {
  expect(contentProblem('x'.repeat(300_000))).toBeNull();
  expect(contentProblem('x'.repeat(300_001))).toBe('Please use at most 300,000 characters, or write two posts.');
  expect(contentProblem('<p>x</p>'.repeat(4_000))).toBeNull();
  expect(contentProblem('<p>x</p>'.repeat(4_001))).toContain('too many elements');
  expect(contentProblem('&nbsp;'.repeat(20_001))).toContain('too many elements');
  expect(contentProblem('<img src="/a.png">'.repeat(501))).toBe('Please use at most 500 pictures, or write two posts.');
});

describe('A complex drawing is rewritten without delaying other requests, or refused:', () => {
  const wrap = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
  const style = (css: string) => wrap(`<style>${css}</style>`);
  const drawings: Record<string, string> = {
    'spaces and an at sign': style(`${' '.repeat(99_000)}@`),
    'a style sheet of the maximum size': style('.a{fill:red}'.repeat(8_300)),
    'a style sheet of 2 MB': style('.a{fill:red}'.repeat(160_000)),
    'at signs': style('@'.repeat(99_000)),
    'at signs and braces': style('@{'.repeat(49_000)),
    'color schemes': style('@media (prefers-color-scheme:dark){a{b:c}}'.repeat(2_300)),
    'unclosed color schemes': style('@media (prefers-color-scheme:dark){a{'.repeat(2_300)),
    comments: style('/*/'.repeat(33_000)),
    'unclosed braces': style('a{'.repeat(49_000)),
    addresses: style(`a{${'url '.repeat(24_000)}}`),
    'a path of 1.9 MB': wrap(`<path d="${'M0 0h1'.repeat(310_000)}"/>`),
    'ten thousand paths': wrap('<path class="a" d="M0 0h1 1 1 1"/>'.repeat(10_000)),
    'fifty thousand nested groups': `<svg>${'<g>'.repeat(49_000)}`,
    '150,000 attributes': wrap(`<path ${Array.from({ length: 150_000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
    references: wrap('&amp;'.repeat(390_000)),
    'references in an attribute': wrap(`<path d="${'&amp;'.repeat(300_000)}"/>`),
    ampersands: wrap('&'.repeat(1_900_000)),
    'a document type': `<!DOCTYPE svg [${'"a"'.repeat(600_000)}`,
    'unclosed comments': wrap('<!--'.repeat(400_000)),
    'unclosed character data': wrap('<![CDATA['.repeat(200_000)),
    'spaces in a tag': `<svg${' '.repeat(1_900_000)}`,
    'names without values': `<svg ${'a='.repeat(900_000)}`,
    'an embedded picture': wrap(`<image href="data:image/png;base64,${'A'.repeat(1_900_000)}"/>`),
    '10 MB': wrap(' '.repeat(10_000_000)),
  };
  test.for(Object.entries(drawings))('%s', async ([, svg]) => {
    const bytes = new TextEncoder().encode(svg);
    const { stall } = await stallOf(async () => {
      if (kindOf(bytes, 'a.svg')?.mimeType !== 'image/svg+xml') return;
      await cleanPicture(bytes, 'image/svg+xml').catch((error: unknown) => {
        if (!(error instanceof PictureError)) throw error;
      });
    });
    expect(stall).toBeLessThan(longestStall);
  });
});

describe('A file of 10 MB is read quickly if it is full of', () => {
  const size = 10_000_000;
  const full = (head: number[] | string, unit: number[] | string) => {
    const bytes = Buffer.alloc(size, typeof unit === 'string' ? unit : Buffer.from(unit), 'latin1');
    bytes.set(typeof head === 'string' ? Buffer.from(head, 'latin1') : head, 0);
    return new Uint8Array(bytes);
  };
  const png = '\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x00\x00\x00\x00';
  const files: Record<string, Uint8Array<ArrayBuffer>> = {
    'tiny segments of a JPEG': full([0xff, 0xd8, 0xff, 0xdb], [0xff, 0xdb, 0, 2]),
    'scans of a JPEG': full([0xff, 0xd8, 0xff, 0xda], [0xff, 0xda, 0, 2]),
    'filling bytes of a JPEG': full([0xff, 0xd8], [0xff]),
    'pixels of a JPEG': full([0xff, 0xd8, 0xff, 0xda, 0, 2], [0xff, 0]),
    'tiny chunks of a PNG': full(png, '\x00\x00\x00\x00IDAT\x00\x00\x00\x00'),
    'tiny chunks of a WebP': full('RIFF\x00\x90\x98\x00WEBP', 'VP8L\x00\x00\x00\x00'),
    'tiny blocks of a GIF': full('GIF89a\x01\x00\x01\x00\x00\x00\x00', [0x21, 0xf9, 0]),
    'one-byte blocks of a GIF': full('GIF89a\x01\x00\x01\x00\x00\x00\x00\x21\xf9', [1, 1]),
    'entries of an archive': full('PK\x03\x04', 'PK\x01\x02'),
    'ends of an archive': full('PK\x03\x04', 'PK\x05\x06'),
    'incomplete names of a Word document': full(
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      'W\x00o\x00r\0d\x00D\x00o\0c\x00u\x00m\0e\x00n\x00',
    ),
    'signatures of a PDF': full('%PDF-', '%PDF-'),
    letters: full('', 'a'),
    'beginnings of XML': full('', '<!--'),
  };
  test.for(Object.entries(files))('%s', async ([, bytes]) => {
    const { stall } = await stallOf(async () => {
      documentKindOf(bytes);
      const kind = kindOf(bytes, 'a.txt');
      if (!kind?.mimeType.startsWith('image/')) return;
      await cleanPicture(bytes, kind.mimeType).catch((error: unknown) => {
        if (!(error instanceof PictureError)) throw error;
      });
    });
    expect(stall).toBeLessThan(longestStall);
  });
});

describe('Linear time is enough for', () => {
  const units = ['a-', '-', 'a', 'www.', 'a.ru ', '<a ', '"', '=', ' ', '\t', '\u0301', '日'];
  test('the spam filter', () => {
    for (const unit of units) {
      const check = (message: string) =>
        suspicionsAbout({ fullName: 'Ada', message }, { honeypot: 'x', filledTooFast: false });
      expect(
        growthOf((count) => unit.repeat(count), check, 4_000),
        unit,
      ).toBeLessThan(superLinear);
    }
  });

  test('a cell of an export', () => {
    for (const unit of units) {
      expect(
        growthOf(
          (count) => unit.repeat(count),
          (cell) => csvRow([cell]),
          20_000,
        ),
        unit,
      ).toBeLessThan(superLinear);
    }
  });
});
