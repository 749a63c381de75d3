import { isDeepStrictEqual } from 'node:util';
import { logError, logInfo } from '../../netlify/server/log.ts';
import { copyrightYear, escapeHtml } from '../../src/domain/text/text.ts';
import type { ShownSections } from '../../src/domain/site/section.ts';
import { site } from '../../src/site.config.ts';

/**
 * Milliseconds between two checks for changes that did not come from a save in this process: writes of another process,
 * a database that is reachable again, or a new year.
 */
const everyMs = 10_000;

interface LivePagesOptions {
  readonly readSections: () => Promise<ShownSections>;
  /** Called when the text or the year has changed, so all pages must be rewritten or rendered again. */
  readonly onChange: () => void;
  readonly now?: () => Date;
}

/** Keeps the saved text and the current year for the built pages (docs/decisions/0011-saved-means-seen.md). */
export function livePages({ readSections, onChange, now = () => new Date() }: LivePagesOptions) {
  /** Null until the first successful query of the database. Until then, pages show the texts of the build. */
  let shown: ShownSections | null = null;
  let year = copyrightYear(now(), site.timeZone);
  let failing = false;
  let running = Promise.resolve();

  const once = async (): Promise<void> => {
    const before = { shown, year };
    year = copyrightYear(now(), site.timeZone);
    try {
      shown = await readSections();
      if (failing) logInfo('home texts are readable again', {});
      failing = false;
    } catch (error) {
      if (!failing) logError('home texts not read; pages keep their current texts', {}, error);
      failing = true;
    }
    if (!isDeepStrictEqual({ shown, year }, before)) onChange();
  };
  // One after the other, so an earlier text never replaces a later one.
  const update = (): Promise<void> => (running = running.then(once));
  let timer: NodeJS.Timeout | undefined;

  return {
    /** Puts the saved text and the current year into a built page. */
    rewrite: (html: string): string => {
      const page = html.replace(copyright, (_, before: string) => before + year);
      // Other pages, such as the search, have the same `id` for another reason, and keep it.
      return shown && page.includes(' data-section="') ? withSections(page, shown) : page;
    },
    /** Reads the saved text from the database, now and from now on every ten seconds. Never rejects. */
    update(): Promise<void> {
      timer ??= setInterval(() => void update(), everyMs).unref();
      return update();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/** Matches the copyright line of src/components/SiteFooter.astro. */
const copyright = /(© <span class="figures">)\d{4}(?=<\/span>)/;
/**
 * Matches the `id` that makes a page fetch newer text from the server (src/layouts/later/later.ts). `withSections`
 * removes the `id`, because it inserts the current text.
 */
const maybeOutdated = /^(<!doctype html>\s*<html) id="now"/i;
/** Matches the start tag of an element with saved text, and its content, which is only text. */
const editable = /(<\w+(?: [\w-]+(?:="[^"]*")?)*? data-section="(\w+)"(?: data-section-part="(\w+)")?[^<>]*>)[^<]*/g;

function withSections(html: string, sections: ShownSections): string {
  return html
    .replace(maybeOutdated, '$1')
    .replace(editable, (built: string, tag: string, key: string, part?: string) => {
      const section = sections[key];
      return section ? tag + escapeHtml(section[part === 'content' ? 'content' : 'title']) : built;
    });
}
