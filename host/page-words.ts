import { Parser } from 'htmlparser2';
import { escapeHtml } from '../src/domain/escape-html.ts';
import type { ShownSections } from '../src/domain/section.ts';

/** Matches the copyright line of src/components/SiteFooter.astro. */
const copyright = /(© <span class="figures">)(\d{4})(?=<\/span>)/;
/**
 * Matches the `id` that makes a page fetch newer text from the server (src/layouts/later/later.ts). `withSections`
 * removes the `id`, because it inserts the current text.
 */
const maybeOutdated = /^(<!doctype html>\s*<html) id="now"/i;

/** Returns the year of the copyright line, or null for a page without that line. */
export function yearOf(html: string): string | null {
  return copyright.exec(html)?.[2] ?? null;
}

export function withYear(html: string, year: string): string {
  return html.replace(copyright, (_, before: string) => before + year);
}

/**
 * Puts the saved text into every element with `data-section`. These elements contain only text. An element with current
 * text does not change.
 */
export function withSections(html: string, sections: ShownSections): string {
  let page = '';
  let copied = 0;
  let open: { words: string; tag: string; from: number; text: string } | null = null;
  const parser = new Parser({
    onopentag(tag, { 'data-section': key, 'data-section-part': part }) {
      const section = key === undefined ? undefined : sections[key];
      if (section)
        open = { words: section[part === 'content' ? 'content' : 'title'], tag, from: parser.endIndex + 1, text: '' };
    },
    ontext(text) {
      if (open) open.text += text;
    },
    onclosetag(tag) {
      if (open?.tag !== tag) return;
      if (open.text.replace(/\s+/g, ' ').trim() !== open.words) {
        page += html.slice(copied, open.from) + escapeHtml(open.words);
        copied = parser.startIndex;
      }
      open = null;
    },
  });
  parser.end(html);
  return (page + html.slice(copied)).replace(maybeOutdated, '$1');
}
