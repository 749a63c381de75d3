import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { logError, logInfo } from '../netlify/server/runtime/log.ts';
import { sectionPages, type ShownSections } from '../src/domain/section.ts';
import { copyrightYear } from '../src/domain/copyright-year.ts';
import { site } from '../src/site.config.ts';
import type { Files } from './http/files.ts';
import { withSections, withYear, yearOf } from './page-words.ts';

/**
 * Milliseconds between two checks for changes that did not come from a save in this process: writes of another process,
 * a database that is reachable again, or a new year.
 */
const everyMs = 10_000;
/**
 * Minimum milliseconds between two updates. Each update compresses the changed pages again. With this pause, a page is
 * compressed at most sixty times in a minute, even if there are hundreds of saves.
 */
const pauseMs = 1_000;

/** Text on pages that is not known at build time. */
interface Words {
  /** Null until the first successful query of the database. */
  readonly sections: ShownSections | null;
  readonly year: string;
}

interface LivePagesOptions {
  readonly readSections: () => Promise<ShownSections>;
  /** Called at a new year, because pages that were rendered earlier show last year's copyright. */
  readonly onNewYear: () => void;
  readonly now?: () => Date;
}

export interface LivePages {
  /** Finds the pages to keep current. */
  watch(files: Files): Promise<void>;
  /**
   * Reads the saved text from the database and puts it into the pages. Calls during an update share one further update.
   * Never rejects.
   */
  update(): Promise<void>;
  /** Starts regular updates. */
  start(): void;
  stop(): Promise<void>;
}

/** Puts saved text and the current year into the built pages (docs/decisions/0011). */
export function livePages({ readSections, onNewYear, now = () => new Date() }: LivePagesOptions): LivePages {
  let files: Files | undefined;
  /** The paths of the pages with saved text. */
  let withText: string[] = [];
  let shown: Words = { sections: null, year: '' };
  let failing = false;
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  const read = async (): Promise<ShownSections | null> => {
    if (withText.length === 0) return null;
    try {
      const sections = await readSections();
      if (failing) logInfo('home texts are readable again', {});
      failing = false;
      return sections;
    } catch (error) {
      if (!failing) logError('home texts not read; pages keep their current texts', {}, error);
      failing = true;
      return shown.sections;
    }
  };

  const once = async (): Promise<void> => {
    const words: Words = { sections: await read(), year: copyrightYear(now(), site.timeZone) };
    if (isDeepStrictEqual(words, shown)) return;
    // A new year changes every page. A saved text changes only the pages that show it.
    for (const path of words.year === shown.year ? withText : (files?.pages ?? [])) {
      const built = await files?.read(path);
      if (built)
        await files?.replace(path, withYear(words.sections ? withSections(built, words.sections) : built, words.year));
    }
    if (words.year !== shown.year) onNewYear();
    shown = words;
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

  return {
    async watch(built) {
      files = built;
      const pages = await Promise.all(sectionPages.map(async (path) => [path, await built.read(path)] as const));
      withText = pages.filter(([, html]) => html?.includes(' data-section=')).map(([path]) => path);
      shown = { sections: null, year: yearOf((await built.read('/')) ?? '') ?? '' };
    },
    update,
    start() {
      timer = setInterval(() => void update(), everyMs).unref();
    },
    async stop() {
      clearInterval(timer);
      again = false;
      await running;
    },
  };
}
