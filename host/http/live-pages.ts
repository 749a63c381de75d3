import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { logError, logInfo } from '../../netlify/server/log.ts';
import { copyrightYear } from '../../src/domain/copyright-year.ts';
import { escapeHtml } from '../../src/domain/escape-html.ts';
import { sectionPages, type ShownSections } from '../../src/domain/section.ts';
import { site } from '../../src/site.config.ts';
import type { Files } from './files.ts';

/**
 * Milliseconds between two checks for changes that did not come from a save in this process: writes of another process,
 * a database that is reachable again, or a new year.
 */
const everyMs = 10_000;
/** Minimum milliseconds between two updates, because each update compresses the changed pages again. */
const pauseMs = 1_000;

interface LivePagesOptions {
  readonly files: Files;
  readonly readSections: () => Promise<ShownSections>;
  /** Called at a new year, because pages that were rendered earlier show last year's copyright. */
  readonly onNewYear: () => void;
  readonly now?: () => Date;
}

export interface LivePages {
  /**
   * Reads the saved text from the database and puts it into the pages. Calls during an update share one further update.
   * Never rejects.
   */
  update(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Puts saved text and the current year into the built pages, at each call of `update` and every ten seconds
 * (docs/decisions/0011-saved-means-seen.md).
 */
export async function livePages(options: LivePagesOptions): Promise<LivePages> {
  const { files, readSections, onNewYear, now = () => new Date() } = options;
  const built = await Promise.all(sectionPages.map(async (path) => ({ path, html: (await files.read(path)) ?? '' })));
  /** The paths of the pages with saved text. */
  const withText = built.filter(({ html }) => html.includes(' data-section=')).map(({ path }) => path);
  /** The texts in the pages. Null until the first successful query of the database. */
  let shown: ShownSections | null = null;
  let shownYear = copyright.exec(built[0]?.html ?? '')?.[2] ?? '';
  let failing = false;
  let running: Promise<void> | null = null;
  let again = false;

  const read = async (): Promise<ShownSections | null> => {
    try {
      const sections = withText.length === 0 ? null : await readSections();
      if (failing) logInfo('home texts are readable again', {});
      failing = false;
      return sections;
    } catch (error) {
      if (!failing) logError('home texts not read; pages keep their current texts', {}, error);
      failing = true;
      return shown;
    }
  };

  const once = async (): Promise<void> => {
    const sections = await read();
    const year = copyrightYear(now(), site.timeZone);
    const isNewYear = year !== shownYear;
    if (!isNewYear && isDeepStrictEqual(sections, shown)) return;
    // A new year changes every page. A saved text changes only the pages that show it.
    for (const path of isNewYear ? files.pages : withText) {
      const page = ((await files.read(path)) ?? '').replace(copyright, (_, before: string) => before + year);
      files.replace(path, sections ? withSections(page, sections) : page);
    }
    if (isNewYear) onNewYear();
    [shown, shownYear] = [sections, year];
  };

  const work = async (): Promise<void> => {
    do {
      again = false;
      await once().catch((error: unknown) => logError('pages not updated', {}, error));
      if (again) await sleep(pauseMs);
    } while (again);
    running = null;
  };

  const update = (): Promise<void> => {
    if (running) again = true;
    return (running ??= work());
  };
  const timer = setInterval(() => void update(), everyMs).unref();

  return {
    update,
    async stop() {
      clearInterval(timer);
      again = false;
      await running;
    },
  };
}

/** Matches the copyright line of src/components/SiteFooter.astro. */
const copyright = /(© <span class="figures">)(\d{4})(?=<\/span>)/;
/**
 * Matches the `id` that makes a page fetch newer text from the server (src/layouts/later/later.ts). `withSections`
 * removes the `id`, because it inserts the current text.
 */
const maybeOutdated = /^(<!doctype html>\s*<html) id="now"/i;

/** Puts the saved text into every element with `data-section`. These elements contain only text. */
function withSections(html: string, sections: ShownSections): string {
  let page = '';
  let copied = 0;
  let open: { words: string; tag: string; from: number } | null = null;
  const parser = new Parser({
    onopentag(tag, { 'data-section': key, 'data-section-part': part }) {
      const section = key === undefined ? undefined : sections[key];
      if (section) open = { words: section[part === 'content' ? 'content' : 'title'], tag, from: parser.endIndex + 1 };
    },
    onclosetag(tag) {
      if (open?.tag !== tag) return;
      page += html.slice(copied, open.from) + escapeHtml(open.words);
      copied = parser.startIndex;
      open = null;
    },
  });
  parser.end(html);
  return (page + html.slice(copied)).replace(maybeOutdated, '$1');
}
