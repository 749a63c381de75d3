import type { MarkdownHeading } from 'astro';
import { textOfHtml } from '../domain/text/text.ts';
import { slugOf } from '../domain/posts/post-input.ts';
import { pictureSources } from '../lib/pictures.ts';

/** Maximum width of an image in a post, in CSS pixels. */
const columnWidth = 672;

/** Maximum number of headings that get an id. The table of contents lists these, and a longer list would not help. */
const mostHeadings = 300;

/** Maximum number of images that get a `srcset`. */
const mostPictures = 300;

const shownTag = /<(\/?)(table|pre)>|<img src="([^"]*)"/g;

/**
 * Prepares a post's HTML for its page: gives headings an id, makes tables and code blocks scrollable, and adds a
 * `srcset` to this site's images.
 * @param html HTML that the server has sanitized, so every tag is closed and written as the patterns here expect.
 */
export function postBody(html: string): { html: string; headings: MarkdownHeading[] } {
  const headings: MarkdownHeading[] = [];
  const stems = new Map<string, number>();
  let tables = 0;
  let pictures = 0;
  const framed = html.replace(shownTag, (whole, slash: string, tag: string, address: string | undefined) => {
    if (address !== undefined) {
      pictures += 1;
      return pictures > mostPictures ? whole : pictureTag(whole, address);
    }
    if (tag === 'pre') return slash ? '</pre></div>' : '<div class="code"><pre tabindex="0">';
    if (!slash) tables += 1;
    const [before, after] = tables === 1 ? tableFrame : ['', ''];
    if (slash) tables -= 1;
    return slash ? `</table>${after}` : `${before}<table class="tabular">`;
  });
  const named = framed.replace(/<(h[23])>([\s\S]*?)<\/\1>/g, (whole, tag: string, inner: string) => {
    const text = textOfHtml(inner);
    // An author may use an empty heading as space. It would be an empty link in the table of contents.
    if (text === '') return inner;
    if (headings.length === mostHeadings) return whole;
    const stem = `part-${slugOf(text) || headings.length + 1}`;
    const count = (stems.get(stem) ?? 0) + 1;
    stems.set(stem, count);
    const slug = count === 1 ? stem : `${stem}--${count}`;
    headings.push({ depth: tag === 'h2' ? 2 : 3, slug, text });
    return `<${tag} id="${slug}"${tag === 'h2' ? ' class="line"' : ''}>${inner}</${tag}>`;
  });
  return { html: named, headings };
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
