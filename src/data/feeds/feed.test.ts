import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizedPost } from '../../../netlify/server/posts/post-html.ts';
import { standalone } from './feed.ts';

const page = new URL('https://firm.example/blog/closing');

test('URLs are absolute, and attributes for the site’s style sheets are removed', () => {
  expect(
    standalone(
      '<h2 id="a" class="line">T</h2><p><a href="/contact?a=1&amp;b=2">in</a> <a href="#part">here</a> <a href="next">next</a> <a href="https://x.example/">out</a> <a href="mailto:a@x.example">mail</a><img src="/a.png" alt="A" loading="lazy" decoding="async" /></p>',
      page,
    ),
  ).toBe(
    '<h2>T</h2><p><a href="https://firm.example/contact?a=1&amp;b=2">in</a> <a href="https://firm.example/blog/closing#part">here</a> <a href="https://firm.example/blog/next">next</a> <a href="https://x.example/">out</a> <a href="mailto:a@x.example">mail</a><img src="https://firm.example/a.png" alt="A" /></p>',
  );
});

test('Text stays, even if it contains the names of attributes', () => {
  const text = '<p>A first class service of any id and role , with sizes that style="x" data-driven teams like.</p>';
  expect(standalone(text, page)).toBe(text);
});

test('Feed readers get the text of any HTML that an editor saves', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'<a href="|<img src="|//[host]|/\\|#|">|</a>|&|&#0;|$& id |<!--|]]>|https://[|javascript:'.split('|'),
    ),
    fc.constantFrom('\u0000', '\u000b', '\ufffe', '\ud800', ' class="a"'),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      const html = pieces.join('');
      const saved = await sanitizedPost(html);
      for (const stored of [saved, html]) {
        const shown = standalone(stored, page);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      }
      expect(await sanitizedPost(saved)).toBe(saved);
    }),
  );
});
