import { describe, expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { cleanPicture } from './picture.ts';
import { cleanSvg, isSvg } from './svg.ts';

const clean = async (svg: string) => Buffer.from(await cleanSvg(svg)).toString();
const sizeOf = async (svg: string) => (await cleanPicture(new Uint8Array(Buffer.from(svg)), 'image/svg+xml')).size;
const wrap = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>${inner}</svg>`;
const kept = '<path d="M0 0h1"/>';

describe('A malicious SVG file', () => {
  test.for([
    ['a script', '<script>alert(1)</script>'],
    ['a script in capitals', '<SCRIPT>alert(1)</SCRIPT>'],
    ['a script from elsewhere', '<script href="https://evil.example/x.js"/>'],
    ['a script by a prefix', '<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>'],
    ['an event handler', '<rect onload="alert(1)" width="1" height="1"/>'],
    ['an event handler with a prefix', '<rect xlink:onload="alert(1)"/>'],
    [
      'foreign content',
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>',
    ],
    ['an HTML frame', '<iframe src="javascript:alert(1)"/>'],
    ['a link', '<a xlink:href="javascript:alert(1)"><text>click</text></a>'],
    ['an animated address', '<use href="#a"><animate attributeName="href" values="javascript:alert(1)"/></use>'],
    ['a set address', '<set attributeName="onmouseover" to="alert(1)"/>'],
    ['another file by use', '<use xlink:href="https://evil.example/x.svg#a"/>'],
    ['data by use', '<use href="data:image/svg+xml;base64,PHN2Zy8+#x"/>'],
    ['a picture from elsewhere', '<image href="https://evil.example/track.png"/>'],
    ['a drawing in a drawing', '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'],
    ['a filter that fetches', '<filter id="f"><feImage href="https://evil.example/x.png"/></filter>'],
    ['an imported style', '<style>@import url(https://evil.example/x.css);</style>'],
    ['an imported style without url', '<style>@import "https://evil.example/x.css";</style>'],
    ['a style that fetches', '<style>path{fill:url(https://evil.example/x)}</style>'],
    ['a disguised address', '<style>path{fill:u\\72l(https://evil.example/x)}</style>'],
    ['an address behind a comment', '<style>path{fill:url/**/(https://evil.example/x)}</style>'],
    ['a font that fetches', '<style>@font-face{font-family:x;src:url(https://evil.example/f)}</style>'],
    ['an image set', '<style>path{fill:image-set("https://evil.example/x" 1x)}</style>'],
    ['markup out of a style', '<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style>'],
    ['markup out of character data', '<style><![CDATA[</style><script>alert(1)</script>]]></style>'],
    ['a style attribute that fetches', '<rect style="fill:url(https://evil.example/x)"/>'],
    ['a presentation attribute that fetches', '<rect fill="url(https://evil.example/x)"/>'],
    ['a handler', '<handler type="application/ecmascript">alert(1)</handler>'],
    ['an instruction', '<?xml-stylesheet href="https://evil.example/x.css"?>'],
  ])('cannot include %s', async (parameters) => {
    const [, inner] = parameters;
    const out = await clean(wrap(inner + kept));
    expect(out).toContain('d="M0 0h1"');
    expect(out).not.toMatch(
      /script|evil|alert|javascript|onload|onerror|foreignObject|iframe|<a[ >]|<set|<animate|data:image\/svg|@import|@font-face/i,
    );
  });

  test('cannot expand entities', async () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>${wrap('<text>&b;&x;</text><rect fill="&x;"/>')}`;
    const out = await clean(bomb);
    expect(out).not.toContain('aaaa');
    expect(out).not.toContain('passwd');
  });

  test.for([
    ['invalid XML', '<svg><path</svg>'],
    ['crossed elements', wrap('<g><path></g></path>')],
    ['two root elements', `${wrap('')}<script>alert(1)</script>`],
    ['text after the drawing', `${wrap('')} <b>x`],
    ['another root element', '<html><svg/></html>'],
    ['a bare ampersand', wrap('<text>a & b</text>')],
    ['a prefix without a namespace', wrap('<rect a:onload="alert(1)"/>')],
    ['entities in a document type that hides its end', `<!DOCTYPE svg [<!ENTITY a "]"><!ENTITY b "&a;">]>${wrap('')}`],
  ] as const)('is refused if it has %s', async ([, svg]) => {
    await expect(clean(svg)).rejects.toThrow(Refusal);
  });
});

describe('A designer’s drawing', () => {
  test('keeps shapes, gradients, styles, color schemes, text and embedded pictures', async () => {
    const svg = wrap(
      '<title>Firm &amp; Co</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
        '<style>.a{fill:url(#g)}@media (prefers-color-scheme:dark){.a{fill:#fff}}</style>' +
        '<path class="a" style="stroke:#000;fill:url(\'#g\')" d="M0 0h1"/><use xlink:href="#g"/>' +
        '<image href="data:image/png;base64,AAAA" width="1" height="1"/>',
      ' viewBox="0 0 200 60"',
    );
    const out = await clean(svg);
    expect(out).toContain('<title>Firm &amp; Co</title>');
    expect(out).toContain('.a{fill:url(#g)}@media (prefers-color-scheme:dark){.a{fill:#fff}}');
    expect(out).toContain('style="stroke:#000;fill:url(\'#g\')"');
    expect(out).toContain('<use xlink:href="#g"/>');
    expect(out).toContain('<image href="data:image/png;base64,AAAA" width="1" height="1"/>');
    expect(await clean(out)).toBe(out);
  });

  test('from Illustrator or Inkscape loses only their private parts', async () => {
    const svg = `<?xml version="1.0" encoding="utf-8"?><!-- Generator: Adobe --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [ <!ENTITY ns_ai "http://ns.adobe.com/x/"> ]>
      <svg version="1.1" xmlns:x="&ns_ai;" xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/x" width="200px" height="60px"><metadata><x:thing>1</x:thing></metadata><inkscape:grid/><g inkscape:label="Layer">${kept}</g></svg>`;
    expect(await clean(svg)).toBe(
      `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="200px" height="60px"><g>${kept}</g></svg>`,
    );
    expect(await sizeOf(svg)).toMatchObject({ width: 200, height: 60 });
  });

  test('without a stated size gets the size of its view box', async () => {
    expect(await sizeOf(wrap(kept, ' viewBox="0 0 24.4 12"'))).toMatchObject({ width: 24, height: 12 });
    expect(await sizeOf(wrap(kept, ' viewBox="0,0,24, 12"'))).toMatchObject({ width: 24, height: 12 });
    expect(await sizeOf(wrap(kept))).toBeNull();
  });

  test('that states no usable size gets none', async () => {
    const stated = ['width="24" viewBox="0 0 0 12"', 'width="24" viewBox="0 0 24"', 'width="1e30" height="1"'];
    for (const attributes of stated) expect(await sizeOf(wrap(kept, ` ${attributes}`)), attributes).toBeNull();
  });

  test('is recognized by its first element', () => {
    expect(isSvg(`\ufeff<?xml version="1.0"?>\n<!-- x -->\n${wrap('')}`)).toBe(true);
    expect(isSvg('<html><svg/></html>')).toBe(false);
    expect(isSvg('plain words')).toBe(false);
    expect(isSvg('')).toBe(false);
  });
});
