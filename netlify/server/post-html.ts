import type { IOptions } from 'sanitize-html';
import { isPictureAddress } from '../../src/domain/post-text.ts';

/** What a post may hold: what the editor can write, and nothing that runs, loads from elsewhere unencrypted, or sets its own style. */
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
    // A page has one heading of the first level: its title.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    b: 'strong',
    i: 'em',
    del: 's',
    strike: 's',
    a: (tagName, { href: wanted = '', title, rel = '' }) => {
      // `//[host]` is not a valid URL, and would make `new URL` throw in the feeds.
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
        // Tells a picture that only decorates from one that nobody has described yet.
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

/** Without the characters that XML, and so a feed, cannot hold. */
function typeable(html: string): string {
  return html.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}

function isSize(value: string): boolean {
  return /^[1-9]\d{0,4}$/.test(value);
}

/**
 * The HTML of a post as it may be stored and shown (decisions, 'Admin': sanitized on the server when saved). Sanitizing
 * it again changes nothing.
 * @returns '' where nothing can be read or seen in it.
 */
export async function sanitizedPost(html: string): Promise<string> {
  // Loaded when a post is saved, and not with the function that reads them.
  const { default: sanitize } = await import('sanitize-html');
  const clean = sanitize(typeable(html), allowed).trim();
  return /<img\b|[^\s\u00a0]/.test(clean.replace(/<(?!img)[^<>]*>|&nbsp;/g, '')) ? clean : '';
}
