import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, sql } from '../netlify/server/db/database.ts';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { logError } from '../netlify/server/log.ts';
import { resultsOf } from './database-results.ts';
import { ReadQueue } from './database-reads.ts';
import { type DatabaseThread, KeptThread, startThread } from './database-worker.ts';
import { WriteQueue } from './database-writes.ts';

/** Pause between two looks at what waits, in milliseconds. */
const tickMs = 25;
const checkLimitMs = 2_000;
const closeLimitMs = 5_000;

/** The pause after an inspection lasts at least this many times as long as the inspection. */
const inspectShare = 20;
/** A check waits this long for the first inspection, in milliseconds. */
const firstInspectionMs = 3_000;

export interface DatabaseFile extends Database {
  /** Resolves when the file is closed. */
  closed(): Promise<void>;
}

/**
 * Opens a database file in separate threads: one that writes, and up to two that read. A lock, a slow disk or a long read
 * therefore never delays the thread that answers visitors. Every queue has a maximum length, and every wait a time limit.
 * @param inspectEveryMs the pause between two inspections of the file for damage, in milliseconds.
 * @throws {DatabaseFault} if the file cannot be opened.
 */
export async function openDatabaseFile(
  file: string,
  { inspectEveryMs = 30_000 }: { readonly inspectEveryMs?: number } = {},
): Promise<DatabaseFile> {
  let closing: Promise<void> | undefined;
  /** A fault that lasts until the site is restarted. */
  let lasting: DatabaseFault | undefined;

  const noteFault = (error: unknown): void => {
    if (lasting || !isDatabaseFault(error) || !['corrupt', 'deleted'].includes(error.fault)) return;
    // A damaged search index is rebuilt from its rows, which are sound.
    const { extendedCode } = (error.cause ?? {}) as { extendedCode?: string };
    if (extendedCode === 'SQLITE_CORRUPT_VTAB') return;
    lasting = error;
    logError(`database ${error.fault}`, { file }, error);
  };

  // The first writer finds out which file the path leads to. Every later thread accepts only that file.
  let firstWriter: DatabaseThread | undefined = startThread('writer', file, null);
  await firstWriter.ready;
  const { identity } = firstWriter;
  const takeFirstWriter = (): DatabaseThread | undefined => {
    const taken = firstWriter;
    firstWriter = undefined;
    return taken;
  };
  const writer = new KeptThread('writer', () => takeFirstWriter() ?? startThread('writer', file, identity), noteFault);
  const writes = new WriteQueue(writer, noteFault);
  const reads = new ReadQueue(
    () => new KeptThread('reader', () => startThread('reader', file, identity), noteFault),
    noteFault,
  );

  // The interval runs only while something waits, so that a command ends when its work is done.
  let ticking: NodeJS.Timeout | undefined;
  const keepTime = (): void => {
    ticking ??= setInterval(() => {
      const now = performance.now();
      writes.tick(now);
      reads.tick(now);
      if (!writes.idle || !reads.idle) return;
      clearInterval(ticking);
      ticking = undefined;
    }, tickMs);
  };

  const write: Database['write'] = async (...statements) => {
    if (lasting) throw lasting;
    if (closing) throw new DatabaseFault('slow');
    const results = writes.write(statements);
    keepTime();
    return await results;
  };

  const read: Database['read'] = async (statement) => {
    if (closing) throw new DatabaseFault('slow');
    const rows = reads.read(statement);
    keepTime();
    return await rows;
  };

  let inspector: DatabaseThread | undefined;
  let inspecting: Promise<void> | undefined;
  let inspected = false;
  let nextInspection: NodeJS.Timeout | undefined;
  const inspect = async (): Promise<void> => {
    const began = performance.now();
    try {
      inspector = startThread('inspector', file, identity);
      await inspector.ready;
    } catch (error) {
      // The writer finds a deleted file too, and saves what it still holds.
      if (isDatabaseFault(error) && error.fault === 'deleted') await write().catch(() => undefined);
      else noteFault(error);
      if (!lasting && !closing) logError('database inspection failed', { file }, error);
    }
    inspected = true;
    if (closing || lasting) return;
    const pause = Math.max(inspectEveryMs, inspectShare * (performance.now() - began));
    nextInspection = setTimeout(() => void inspect(), pause).unref();
  };

  const close = async (): Promise<void> => {
    clearTimeout(nextInspection);
    await Promise.race([
      Promise.all([inspector?.terminate(), writer.close(), ...reads.threads.map((thread) => thread.close())]),
      sleep(closeLimitMs, undefined, { ref: false }),
    ]);
  };

  return {
    read,
    write,
    apply: async (statements) => {
      const { outcomes } = await writer.ask({ kind: 'apply', statements });
      resultsOf(outcomes[0]);
    },
    check: async () => {
      // Inspections begin with the first check, since only a server checks its database.
      inspecting ??= inspect();
      if (!inspected) await Promise.race([inspecting, sleep(firstInspectionMs, undefined, { ref: false })]);
      if (lasting) throw lasting;
      const written = writer.ask({ kind: 'check' }).then(({ outcomes }) => resultsOf(outcomes[0]));
      written.catch(noteFault);
      const late = sleep(checkLimitMs, undefined, { ref: false }).then(() => {
        throw new DatabaseFault('slow');
      });
      await Promise.all([Promise.race([written, late]), read(sql('SELECT at FROM health_checks'))]);
    },
    close: () => void (closing ??= close()),
    closed: () => (closing ??= close()),
  };
}
