import type { MarkdownHeading } from 'astro';
import { postText, slugOf } from '../domain/post-text.ts';
import { pictureSources } from '../lib/pictures.ts';

/** Widest that a picture stands in a text, in CSS pixels. */
const columnWidth = 672;

/**
 * A post's HTML as its page shows it: headings can be linked to, tables and code scroll inside themselves, pictures of
 * this site come in the size that fits.
 * @param html as the server sanitized it; nothing else has its shape.
 */
export function postBody(html: string): { html: string; headings: MarkdownHeading[] } {
  const headings: MarkdownHeading[] = [];
  const shown = html
    .replace(/<(h[23])>([\s\S]*?)<\/\1>/g, (_, tag: string, inner: string) => {
      const text = postText(inner);
      const stem = `part-${slugOf(text) || headings.length + 1}`;
      const same = headings.filter(({ slug }) => slug === stem || slug.startsWith(`${stem}--`)).length;
      const slug = same === 0 ? stem : `${stem}--${same + 1}`;
      headings.push({ depth: Number(tag[1]), slug, text });
      return `<${tag} id="${slug}"${tag === 'h2' ? ' class="line"' : ''}>${inner}</${tag}>`;
    })
    .replace(
      /<table>[\s\S]*?<\/table>/g,
      '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">$&</div>',
    )
    .replace(/<pre>([\s\S]*?)<\/pre>/g, '<div class="code"><pre tabindex="0">$1</pre></div>')
    .replace(/<img src="([^"]*)"/g, (tag, address: string) => {
      const { srcset } = pictureSources(address.replaceAll('&amp;', '&'));
      return srcset
        ? `${tag} srcset="${srcset.replaceAll('&', '&amp;')}" sizes="(width &lt; 45rem) 100vw, ${columnWidth}px"`
        : tag;
    });
  return { html: shown, headings };
}
