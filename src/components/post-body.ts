import type { MarkdownHeading } from 'astro';
import { postText, slugOf } from '../domain/post-text.ts';
import { pictureSources } from '../lib/pictures.ts';

/** The largest width of a picture in a text, in CSS pixels. */
const columnWidth = 672;

/** Headings that can be linked to; a longer table of contents helps nobody. */
const mostHeadings = 300;

/** Pictures that come in several sizes; as many as anybody scrolls by. */
const mostPictures = 300;

const shownTag = /<(\/?)(h2|h3|table|pre)>|<img src="([^"]*)"/g;

/**
 * A post's HTML as its page shows it: headings can be linked to, tables and code scroll inside themselves, pictures of
 * this site come in the size that fits. Goes through the text once, however it is nested.
 * @param html as the server sanitized it; nothing else has its shape.
 */
export function postBody(html: string): { html: string; headings: MarkdownHeading[] } {
  const headings: MarkdownHeading[] = [];
  const stems = new Map<string, number>();
  const pieces: string[] = [];
  /** The heading that is open: its level, its opening tag among the pieces, and where its text begins. */
  let heading: { tag: string; piece: number; from: number } | null = null;
  let tables = 0;
  let pictures = 0;
  let at = 0;

  for (const found of html.matchAll(shownTag)) {
    const [whole, slash, tag, address] = found;
    const end = found.index + whole.length;
    pieces.push(html.slice(at, found.index));
    at = end;
    if (address !== undefined) {
      pictures += 1;
      pieces.push(pictures > mostPictures ? whole : pictureTag(whole, address));
    } else if (tag === 'pre') {
      pieces.push(slash ? '</pre></div>' : '<div class="code"><pre tabindex="0">');
    } else if (tag === 'table') {
      if (!slash) tables += 1;
      pieces.push(slash && tables === 1 ? `${whole}</div>` : !slash && tables === 1 ? tableStart : whole);
      if (slash) tables -= 1;
    } else if (!slash && heading === null && headings.length < mostHeadings) {
      heading = { tag: tag ?? '', piece: pieces.push(whole) - 1, from: end };
    } else {
      pieces.push(whole);
      if (slash && heading !== null && heading.tag === tag) {
        const text = postText(html.slice(heading.from, found.index));
        const stem = `part-${slugOf(text) || headings.length + 1}`;
        const count = (stems.get(stem) ?? 0) + 1;
        stems.set(stem, count);
        const slug = count === 1 ? stem : `${stem}--${count}`;
        headings.push({ depth: tag === 'h2' ? 2 : 3, slug, text });
        pieces[heading.piece] = `<${tag} id="${slug}"${tag === 'h2' ? ' class="line"' : ''}>`;
        heading = null;
      }
    }
  }
  pieces.push(html.slice(at));
  return { html: pieces.join(''), headings };
}

const tableStart = '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>';

/** @param tag the start of an `img` tag, up to the end of its escaped URL. */
function pictureTag(tag: string, address: string): string {
  const { srcset } = pictureSources(address.replaceAll('&amp;', '&'));
  return srcset
    ? `${tag} srcset="${srcset.replaceAll('&', '&amp;')}" sizes="(width &lt; 45rem) 100vw, ${columnWidth}px"`
    : tag;
}
