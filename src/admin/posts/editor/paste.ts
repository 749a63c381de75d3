import { parseUrl } from '../../../domain/web-address.ts';
import { isAllowedLink } from './links.ts';
import { parseInert } from './trusted-html.ts';

/** The attributes to keep, by element name. All other attributes are removed. */
const keptAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'role', 'title', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
};

const renamed: Readonly<Record<string, string>> = { h1: 'h2', h5: 'h4', h6: 'h4', b: 'strong', i: 'em' };

export interface Pasted {
  readonly html: string;
  /** The number of removed images: images of other programs and other sites. */
  readonly picturesLeftOut: number;
}

/**
 * Cleans HTML from a word processor, an email or another site. Keeps text, structure, links, and images on this site.
 * Works only in a browser.
 */
export function cleanPasted(html: string): Pasted {
  const page = parseInert(html);
  const { body } = page;
  for (const element of body.querySelectorAll('script, style, meta, link, title, template, iframe, object')) {
    element.remove();
  }
  listsOfWord(body);

  let picturesLeftOut = 0;
  for (const element of [...body.querySelectorAll('*')]) {
    const name = element.localName;
    const style = element.getAttribute('data-style') ?? '';
    if (/display:\s*none|mso-hide:\s*all/i.test(style) || name.includes(':')) element.remove();
    else if (name === 'img' && !/^\/(?!\/)/.test(element.getAttribute('src') ?? '')) {
      picturesLeftOut += 1;
      element.remove();
    } else if (name === 'font' || name === 'span' || (name === 'b' && /font-weight:\s*(normal|400)/i.test(style))) {
      unwrap(element, marksOf(style));
    } else if (name === 'a') {
      const address = realAddress(element.getAttribute('href') ?? '');
      if (isAllowedLink(address)) strip(element, { href: address });
      else unwrap(element, []);
    } else if (name in renamed) {
      const other = page.createElement(renamed[name] ?? name);
      other.append(...element.childNodes);
      element.replaceWith(other);
    } else strip(element);
  }
  for (const paragraph of [...body.querySelectorAll('p')]) {
    if (!paragraph.querySelector('img, br') && (paragraph.textContent ?? '').trim() === '') paragraph.remove();
  }
  return { html: body.innerHTML.replace(/\u00a0|&nbsp;/g, ' '), picturesLeftOut };
}

function marksOf(style: string): string[] {
  return [
    ...(/font-weight:\s*(bold|[6-9]00)/i.test(style) ? ['strong'] : []),
    ...(/font-style:\s*italic/i.test(style) ? ['em'] : []),
    ...(/text-decoration[^;]*line-through/i.test(style) ? ['s'] : []),
  ];
}

/** Replaces an element with its content, wrapped in new elements with the names in `marks`. */
function unwrap(element: Element, marks: readonly string[]): void {
  let within: Element | undefined;
  for (const mark of marks) {
    const next = element.ownerDocument.createElement(mark);
    next.append(...(within ? [within] : element.childNodes));
    within = next;
  }
  element.replaceWith(...(within ? [within] : element.childNodes));
}

function strip(element: Element, instead: Readonly<Record<string, string>> = {}): void {
  const kept = keptAttributes[element.localName] ?? [];
  for (const { name } of [...element.attributes]) if (!kept.includes(name)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(instead)) element.setAttribute(name, value);
}

/** Extracts the original URL from the redirect links that Google Docs and Outlook put around links. */
function realAddress(href: string): string {
  const address = parseUrl(href);
  if (!address) return href;
  const { hostname, searchParams, pathname } = address;
  if (/(^|\.)google\.com$/.test(hostname) && pathname === '/url') return searchParams.get('q') ?? href;
  if (hostname.endsWith('.safelinks.protection.outlook.com')) return searchParams.get('url') ?? href;
  return href;
}

/** Converts Word's lists. Word writes list items as paragraphs that begin with a bullet or a number. */
function listsOfWord(body: HTMLElement): void {
  for (const paragraph of [...body.querySelectorAll('p[data-style*="mso-list"]')]) {
    const marker = /^[\s\u00a0]*([·•§o▪–-]|\(?[\divxa-z]{1,4}[.)])[\s\u00a0]+/i.exec(paragraph.textContent ?? '');
    const tag = marker && /[\da-z][.)]/i.test(marker[1] ?? '') ? 'ol' : 'ul';
    for (const ignored of paragraph.querySelectorAll('[data-style*="mso-list:Ignore" i]')) ignored.remove();
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    const before = paragraph.previousElementSibling;
    if (before?.localName === tag && before.hasAttribute('data-word')) {
      before.append(item);
      paragraph.remove();
    } else {
      const list = body.ownerDocument.createElement(tag);
      list.setAttribute('data-word', '');
      list.append(item);
      paragraph.replaceWith(list);
    }
  }
}
