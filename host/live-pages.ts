import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { logError, logInfo } from '../netlify/server/log.ts';
import { sectionPages, type ShownSections } from '../src/domain/section.ts';
import { copyrightYear } from '../src/domain/copyright-year.ts';
import { site } from '../src/site.config.ts';
import { withSections, withYear, yearOf } from './page-words.ts';
import { encoders } from './precompress.ts';
import type { Encoding, LivePages, StoredFile } from './static-files.ts';

/** Finds what no save announced: another process that wrote to the database, a database that answers again, a new year. */
const everyMs = 10_000;
/** Between two updates, so that hundreds of saves a minute compress a page sixty times at most. */
const pauseMs = 1_000;
/** Of pages that differ from the build in nothing but the year. They are made as they are asked for. */
const agedBytes = 16 * 1024 * 1024;

/** What pages show that the build cannot know. */
interface Words {
  /** Null until the database has answered once. */
  readonly sections: ShownSections | null;
  readonly year: string;
}

interface LivePagesOptions {
  readonly readSections: () => Promise<ShownSections>;
  /** Called when pages that were rendered before show last year's copyright. */
  readonly onNewYear: () => void;
  readonly now?: () => Date;
}

export interface RunningLivePages extends LivePages {
  /** Reads the words and serves them. Calls that come meanwhile share one more reading. Never rejects. */
  update(): Promise<void>;
  /** Updates every few seconds from now on. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * Puts what admins saved, and the year, into the built pages (docs/decisions/0011). The pages of one update are made and
 * compressed before the first of them is served, and replace those of the update before in one assignment.
 */
export function livePages({ readSections, onNewYear, now = () => new Date() }: LivePagesOptions): RunningLivePages {
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
      if (failing) logInfo('the texts of the home page can be read again', {});
      failing = false;
      return sections;
    } catch (error) {
      if (!failing) logError('the texts of the home page could not be read; pages keep the texts they have', {}, error);
      failing = true;
      return shown.sections;
    }
  };

  const once = async (): Promise<void> => {
    const words: Words = { sections: await read(), year: copyrightYear(now(), site.timeZone) };
    if (isDeepStrictEqual(words, { sections: shown.sections, year: shown.year })) return;
    const pages = await Promise.all(withWords.map(async (file) => [file.address, await revised(file, words)] as const));
    const isNewYear = shown.year !== '' && shown.year !== words.year;
    shown = { ...words, pages: new Map(pages) };
    if (!isNewYear) return;
    aged.clear();
    onNewYear();
  };

  const work = async (): Promise<void> => {
    do {
      again = false;
      await once().catch((error: unknown) => logError('the pages could not be updated', {}, error));
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
      const made = revised(file, { sections: null, year: shown.year });
      // A page is about as large as its source and its compressed forms together.
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

async function revised(file: StoredFile, { sections, year }: Words): Promise<StoredFile> {
  const built = await readFile(file.path, 'utf8');
  const html = withYear(sections ? withSections(built, sections) : built, year);
  if (html === built) return file;
  const plain = Buffer.from(html);
  const bytes = new Map<Encoding, Buffer<ArrayBuffer>>([['identity', plain]]);
  // As the build did: a file that is too small to compress has no compressed form.
  if (file.sizes.has('br')) bytes.set('br', await encoders['.br'](plain));
  if (file.sizes.has('gzip')) bytes.set('gzip', await encoders['.gz'](plain));
  return {
    ...file,
    bytes,
    sizes: new Map([...bytes].map(([encoding, { length }]) => [encoding, length])),
    hash: Promise.resolve(createHash('sha256').update(plain).digest('base64url').slice(0, 22)),
  };
}
