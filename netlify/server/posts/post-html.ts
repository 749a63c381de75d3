import type { IOptions } from 'sanitize-html';
import { xmlText } from '../../../src/domain/text/text.ts';
import { isPictureAddress } from '../../../src/domain/text/web-address.ts';

/**
 * The HTML that a post may contain, which is what the editor can create. Scripts, styles and unencrypted external
 * content are not allowed.
 */
const allowed: IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['strong', 'em', 'u', 's', 'sub', 'sup', 'mark', 'a', 'figure', 'figcaption', 'img'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'role', 'title', 'width', 'height', 'loading', 'decoding'],
    ol: ['start', 'reversed'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: { code: [/^language-[\w-]{1,30}$/] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  enforceHtmlBoundary: false,
  nestingLimit: 60,
  parseStyleAttributes: false,
  transformTags: {
    // The page already has an `h1`: the post's title.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    b: 'strong',
    i: 'em',
    del: 's',
    strike: 's',
    a: (tagName, { href: wanted = '', title, rel = '' }) => {
      // `//[host]` is not a valid URL, and would make `new URL` throw in the code for the feeds.
      const href = URL.canParse(wanted, 'https://site.example') ? wanted : '';
      const outside = /^https?:/i.test(href.trim());
      const kept = ['nofollow', 'sponsored', 'ugc'].filter((word) => rel.split(/\s+/).includes(word));
      const words = outside ? ['noopener', ...kept] : kept;
      return {
        tagName,
        attribs: { href, ...(title && { title }), ...(words.length > 0 && { rel: words.join(' ') }) },
      };
    },
    img: (tagName, { src = '', alt = '', role, title, width = '', height = '' }) => ({
      tagName,
      attribs: {
        src: src.trim(),
        alt,
        // This role distinguishes a decorative image from an image without a description.
        ...(role === 'presentation' && alt === '' && { role }),
        ...(title && { title }),
        ...(isSize(width) && { width }),
        ...(isSize(height) && { height }),
        loading: 'lazy',
        decoding: 'async',
      },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isPictureAddress(attribs['src'] ?? ''),
};

function isSize(value: string): boolean {
  return /^[1-9]\d{0,4}$/.test(value);
}

/**
 * Sanitizes the HTML of a post (docs/product.md#posts). Sanitizing the result again changes nothing.
 * @returns '' if the result has no text and no images.
 */
export async function sanitizedPost(html: string): Promise<string> {
  // The library is loaded only when a post is saved, because functions that import this module also serve requests that
  // only read.
  const { default: sanitize } = await import('sanitize-html');
  const clean = sanitize(xmlText(html), allowed).trim();
  return /<img\b|[^\s\u00a0]/.test(clean.replace(/<(?!img)[^<>]*>|&nbsp;/g, '')) ? clean : '';
}
