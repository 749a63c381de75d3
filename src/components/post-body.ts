import type { MarkdownHeading } from 'astro';
import { postText } from '../domain/post-text.ts';
import { slugOf } from '../domain/post-input.ts';
import { pictureSources } from '../lib/pictures.ts';

/** Maximum width of an image in a post, in CSS pixels. */
const columnWidth = 672;

/** Maximum number of headings that get an id. The table of contents lists these, and a longer list would not help. */
const mostHeadings = 300;

/** Maximum number of images that get a `srcset`. */
const mostPictures = 300;

const shownTag = /<(\/?)(h2|h3|table|pre)>|<img src="([^"]*)"/g;

/**
 * Prepares a post's HTML for its page: gives headings an id, makes tables and code blocks scrollable, and adds a
 * `srcset` to this site's images. Reads the text once, so deeply nested HTML stays fast.
 * @param html HTML that the server has sanitized. `shownTag` matches tags only as the sanitizer writes them.
 */
export function postBody(html: string): { html: string; headings: MarkdownHeading[] } {
  const headings: MarkdownHeading[] = [];
  const stems = new Map<string, number>();
  const pieces: string[] = [];
  /**
   * The heading whose end tag has not been reached: its tag name, the index of its start tag in `pieces`, and the start
   * of its text in `html`.
   */
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
      const [before, after] = tables === 1 ? tableFrame : ['', ''];
      pieces.push(slash ? `</table>${after}` : `${before}<table class="tabular">`);
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

/** Start and end of the scrollable frame around a table. A table inside another table gets no frame. */
const tableFrame = ['<div class="table-scroll" tabindex="0" role="group" aria-label="Table">', '</div>'];

/**
 * Returns the start of an `img` tag with a `srcset` for this site's images.
 * @param tag start of an `img` tag, up to the end of its escaped URL.
 */
function pictureTag(tag: string, address: string): string {
  const { srcset } = pictureSources(address.replaceAll('&amp;', '&'));
  return srcset
    ? `${tag} srcset="${srcset.replaceAll('&', '&amp;')}" sizes="(width &lt; 45rem) 100vw, ${columnWidth}px"`
    : tag;
}
