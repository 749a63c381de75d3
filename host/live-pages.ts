import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { logError, logInfo } from '../netlify/server/runtime/log.ts';
import { sectionPages, type ShownSections } from '../src/domain/section.ts';
import { copyrightYear } from '../src/domain/copyright-year.ts';
import { site } from '../src/site.config.ts';
import { withSections, withYear, yearOf } from './page-words.ts';
import { encoders, keptForm } from './precompress.ts';
import type { Encoding, LivePages, StoredFile } from './static-files.ts';

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
/**
 * Maximum bytes of cached pages in which only the copyright year differs from the build. Each of these pages is
 * generated when a visitor requests it.
 */
const agedBytes = 16 * 1024 * 1024;

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
  /** The folder that caches compressed pages, so a start with unchanged text does not compress the pages again. */
  readonly cache: string;
}

export interface RunningLivePages extends LivePages {
  /**
   * Reads the saved text from the database and puts it into the pages. Calls during an update share one further update.
   * Never rejects.
   */
  update(): Promise<void>;
  /** Starts regular updates. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * Puts saved text and the current year into the built pages (docs/decisions/0011). An update first prepares all pages
 * with saved text, and then replaces these pages at the same time.
 */
export function livePages({
  readSections,
  onNewYear,
  now = () => new Date(),
  cache,
}: LivePagesOptions): RunningLivePages {
  const withWords: StoredFile[] = [];
  let builtYear: string | null = null;
  let shown: Words & { readonly pages: ReadonlyMap<string, StoredFile> } = {
    sections: null,
    year: '',
    pages: new Map(),
  };
  const aged = new LRUCache<string, Promise<StoredFile>>({ maxSize: agedBytes });
  let failing = false;
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  const read = async (): Promise<ShownSections | null> => {
    if (withWords.length === 0) return null;
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
    if (isDeepStrictEqual(words, { sections: shown.sections, year: shown.year })) return;
    const used = new Set<string>();
    const formOf: FormOf = async (plain, suffix) => {
      const { form, name } = await keptForm(plain, suffix, cache);
      used.add(name);
      return form;
    };
    const pages = await Promise.all(
      withWords.map(async (file) => [file.address, await revised(file, words, formOf)] as const),
    );
    const names = await readdir(cache).catch(() => []);
    await Promise.all(names.filter((name) => !used.has(name)).map((name) => rm(join(cache, name), { force: true })));
    const isNewYear = shown.year !== '' && shown.year !== words.year;
    shown = { ...words, pages: new Map(pages) };
    if (!isNewYear) return;
    aged.clear();
    onNewYear();
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
    async watch(files) {
      const htmlOf = (file: StoredFile) => readFile(file.path, 'utf8');
      for (const address of sectionPages) {
        const file = files.get(address);
        if (file && (await htmlOf(file)).includes(' data-section=')) withWords.push(file);
      }
      const home = files.get('/');
      builtYear = home ? yearOf(await htmlOf(home)) : null;
    },
    current(file) {
      const page = shown.pages.get(file.address);
      if (page) return page;
      if (builtYear === null || shown.year === '' || shown.year === builtYear || !isPage(file)) return file;
      const known = aged.get(file.address);
      if (known) return known;
      const made = revised(file, { sections: null, year: shown.year }, (plain, suffix) => encoders[suffix](plain));
      // Estimates the size of a page: its source and its compressed forms together are about twice the source.
      aged.set(file.address, made, { size: 2 * (file.sizes.get('identity') ?? 1) });
      made.catch(() => aged.delete(file.address));
      return made;
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

const isPage = (file: StoredFile): boolean => file.headers.get('content-type')?.startsWith('text/html') ?? false;

type FormOf = (plain: Buffer, suffix: keyof typeof encoders) => Promise<Buffer<ArrayBuffer>>;

async function revised(file: StoredFile, { sections, year }: Words, formOf: FormOf): Promise<StoredFile> {
  const built = await readFile(file.path, 'utf8');
  const html = withYear(sections ? withSections(built, sections) : built, year);
  if (html === built) return file;
  const plain = Buffer.from(html);
  const bytes = new Map<Encoding, Buffer<ArrayBuffer>>([['identity', plain]]);
  // Creates only the encodings that the build has, because the build does not compress small files.
  if (file.sizes.has('br')) bytes.set('br', await formOf(plain, '.br'));
  if (file.sizes.has('gzip')) bytes.set('gzip', await formOf(plain, '.gz'));
  return {
    ...file,
    bytes,
    sizes: new Map([...bytes].map(([encoding, { length }]) => [encoding, length])),
    hash: Promise.resolve(createHash('sha256').update(plain).digest('base64url').slice(0, 22)),
  };
}
