import { parseUrl } from '../../../domain/text/web-address.ts';
import { parseInert } from './html.ts';

/** The names that the editor uses for other elements. A post's own heading is an `h1`, so a text has none. */
const renamed: Readonly<Record<string, string>> = { h1: 'h2', h5: 'h4', h6: 'h4' };

export interface Pasted {
  readonly html: string;
  /** The number of removed images: images of other programs and other sites. */
  readonly picturesLeftOut: number;
}

/**
 * Prepares HTML from a word processor, an email or another site for the editor, whose schema then drops every unknown
 * element and attribute, and every link that a post may not contain.
 */
export function cleanPasted(html: string): Pasted {
  const { body } = parseInert(html);
  let picturesLeftOut = 0;
  listsOfWord(body);
  for (const header of body.querySelectorAll('tr[data-style*="mso-yfti-firstrow:yes"] > td')) rename(header, 'th');
  for (const element of [...body.querySelectorAll('*')]) {
    const name = element.localName;
    const style = element.getAttribute('data-style') ?? '';
    if (/display:\s*none|mso-hide:\s*all/i.test(style) || name.includes(':')) element.remove();
    else if (name === 'img' && !/^\/(?!\/)/.test(element.getAttribute('src') ?? '')) {
      picturesLeftOut += 1;
      element.remove();
    } else if (name === 'a') element.setAttribute('href', realAddress(element.getAttribute('href') ?? ''));
    else if (name in renamed) rename(element, renamed[name] ?? name);
    else if (name === 'font' || name === 'span') addMarks(element, style);
    // Google Docs puts the whole text into such an element.
    else if (name === 'b' && /font-weight:\s*(normal|400)/i.test(style)) rename(element, 'div');
  }
  for (const paragraph of [...body.querySelectorAll('p')]) {
    if (!paragraph.querySelector('img, br') && (paragraph.textContent ?? '').trim() === '') paragraph.remove();
  }
  return { html: body.innerHTML.replace(/\u00a0|&nbsp;/g, ' '), picturesLeftOut };
}

function rename(element: Element, name: string): void {
  const other = element.ownerDocument.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
}

/** Marks the content of an element as bold, italic or struck through, as its style does. */
function addMarks(element: Element, style: string): void {
  const marks = [
    ...(/font-weight:\s*(bold|[6-9]00)/i.test(style) ? ['strong'] : []),
    ...(/font-style:\s*italic/i.test(style) ? ['em'] : []),
    ...(/text-decoration[^;]*line-through/i.test(style) ? ['s'] : []),
  ];
  for (const name of marks) {
    const mark = element.ownerDocument.createElement(name);
    mark.append(...element.childNodes);
    element.append(mark);
  }
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
    let list = paragraph.previousElementSibling;
    if (list?.localName !== tag || !list.hasAttribute('data-word')) {
      list = body.ownerDocument.createElement(tag);
      list.setAttribute('data-word', '');
      paragraph.before(list);
    }
    list.append(item);
    paragraph.remove();
  }
}
