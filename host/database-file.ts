import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, sql } from '../netlify/server/db/database.ts';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { logError } from '../netlify/server/runtime/log.ts';
import { identityMemory } from './database-guard.ts';
import { resultsOf } from './database-results.ts';
import { ReadQueue } from './database-reads.ts';
import { type DatabaseThread, KeptThread, type Role, startThread } from './database-worker.ts';
import { WriteQueue } from './database-writes.ts';

/** Milliseconds between two checks for reads and writes that have waited too long. */
const tickMs = 25;
const checkLimitMs = 2_000;
const closeLimitMs = 5_000;

/**
 * The pause between two inspections (searches of the whole file for damage) is at least this many times as long as the
 * last inspection.
 */
const inspectShare = 20;
/** A health check waits at most this many milliseconds for the result of the first inspection. */
const firstInspectionMs = 3_000;

export interface DatabaseFileOptions {
  /** True to inspect the file for damage from the start. Otherwise, the first health check starts the inspections. */
  readonly inspect?: boolean;
  /** Minimum milliseconds between two inspections. */
  readonly inspectEveryMs?: number;
}

export interface DatabaseFile extends Database {
  /** Closes the file if necessary. Resolves when the file is closed. */
  closed(): Promise<void>;
}

/**
 * Opens a database file in separate threads: one thread writes, and up to two threads read. A lock, a slow disk or a
 * long read therefore never delays the thread that answers visitors. Every queue has a maximum length, and every wait
 * has a time limit.
 * @throws {DatabaseFault} if the file cannot be opened.
 */
export async function openDatabaseFile(
  file: string,
  { inspect: inspectsFromStart = false, inspectEveryMs = 30_000 }: DatabaseFileOptions = {},
): Promise<DatabaseFile> {
  let closing: Promise<void> | undefined;
  /**
   * Set if the file is damaged or deleted. All further writes and checks fail with this error until the site is
   * restarted.
   */
  let lasting: DatabaseFault | undefined;

  const noteFault = (error: unknown): void => {
    if (lasting || !isDatabaseFault(error) || !['corrupt', 'deleted'].includes(error.fault)) return;
    // A damaged search index is not a lasting error, because the index can be rebuilt from the intact rows.
    const { extendedCode } = (error.cause ?? {}) as { extendedCode?: string };
    if (extendedCode === 'SQLITE_CORRUPT_VTAB') return;
    lasting = error;
    logError(`database ${error.fault}`, { file }, error);
  };

  // The first writer records the identity of the file at the path. All other threads then refuse to open a different
  // file. The first threads start in parallel, because each takes 100 ms to start.
  const opened = identityMemory();
  const first = new Map<Role, DatabaseThread>();
  const roles: Role[] = inspectsFromStart ? ['writer', 'reader', 'inspector'] : ['writer', 'reader'];
  for (const role of roles) first.set(role, startThread(role, file, opened));
  await first.get('writer')!.ready.catch(async (error: unknown) => {
    await Promise.all([...first.values()].map((thread) => thread.terminate()));
    throw error;
  });
  const start = (role: Role): DatabaseThread => {
    const thread = first.get(role) ?? startThread(role, file, opened);
    first.delete(role);
    return thread;
  };
  const writer = new KeptThread('writer', () => start('writer'), noteFault);
  const writes = new WriteQueue(writer, noteFault);
  const reads = new ReadQueue(() => new KeptThread('reader', () => start('reader'), noteFault), noteFault);

  // The interval runs only while reads or writes wait. Otherwise, it would keep a finished command from exiting.
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
  let inspections: Promise<void> | undefined;
  let inspected = false;
  let nextInspection: NodeJS.Timeout | undefined;
  const inspect = async (): Promise<void> => {
    const began = performance.now();
    try {
      inspector = start('inspector');
      await inspector.ready;
    } catch (error) {
      // If the database file was deleted, an empty write makes the writer notice the deletion. The writer still has the
      // file open, so it can save the content.
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

  // A server starts inspections at its start or at its first health check. Commands, such as `npm run admin`, never
  // start inspections.
  const inspecting = (): Promise<void> => (inspections ??= inspect());
  if (inspectsFromStart) void inspecting();

  return {
    read,
    write,
    apply: async (statements) => {
      const { outcomes } = await writer.ask({ kind: 'apply', statements });
      resultsOf(outcomes[0]);
    },
    check: async () => {
      const begun = inspecting();
      if (!inspected) await Promise.race([begun, sleep(firstInspectionMs, undefined, { ref: false })]);
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
