import { Parser } from 'htmlparser2';
import type { SectionKey, ShownSections } from '../src/domain/section.ts';

/** The copyright line of src/components/SiteFooter.astro. */
const copyright = /(© <span class="figures">)(\d{4})(?=<\/span>)/;
/** Marks a page whose texts may be older than the database; see src/layouts/later/later.ts. */
const maybeOutdated = /^(<!doctype html>\s*<html) id="now"/i;

/** Returns the year of the copyright line; null for a page without one. */
export function yearOf(html: string): string | null {
  return copyright.exec(html)?.[2] ?? null;
}

export function withYear(html: string, year: string): string {
  return html.replace(copyright, (_, before: string) => before + year);
}

/**
 * Puts the saved words into a page: into every element with `data-section`, which holds only text. An element that has
 * its words already keeps its bytes.
 */
export function withSections(html: string, sections: ShownSections): string {
  let page = '';
  let copied = 0;
  let open: { words: string; tag: string; from: number; text: string } | null = null;
  const parser = new Parser({
    onopentag(tag, { 'data-section': key, 'data-section-part': part }) {
      const section = key === undefined ? undefined : sections[key as SectionKey];
      if (section)
        open = { words: section[part === 'content' ? 'content' : 'title'], tag, from: parser.endIndex + 1, text: '' };
    },
    ontext(text) {
      if (open) open.text += text;
    },
    onclosetag(tag) {
      if (open?.tag !== tag) return;
      if (open.text.replace(/\s+/g, ' ').trim() !== open.words) {
        page += html.slice(copied, open.from) + escaped(open.words);
        copied = parser.startIndex;
      }
      open = null;
    },
  });
  parser.end(html);
  return (page + html.slice(copied)).replace(maybeOutdated, '$1');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
