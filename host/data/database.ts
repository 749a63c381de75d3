import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { checkBy, type Database, type Result, sql, type Statement, text } from '../../netlify/server/db/database.ts';
import { DatabaseFault } from '../../netlify/server/db/fault.ts';
import { logError } from '../../netlify/server/log.ts';
import type { Answers, Outcome, Request, ThreadData } from './database-thread.ts';

/** A migration may rebuild a large table, and an inspection reads the whole file. */
const longLimitMs = 10 * 60_000;
/** The number of requests that wait for a thread. Further requests are refused immediately. */
const mostWaiting = 1_024;
const restartMs = 1_000;
const closeLimitMs = 5_000;
/** The pause between two searches of the whole file for damage. */
const inspectEveryMs = 60 * 60_000;
/** A health check waits at most this many milliseconds for the result of the first inspection. */
const firstInspectionMs = 3_000;

export interface DatabaseFileOptions {
  /** True for a server, which removes unfinished blobs, and inspects the file for damage at its start and every hour. */
  readonly inspect?: boolean;
  /** Milliseconds after which a read or write gets an error. The writer may still commit a write later. */
  readonly limitMs?: number;
}

export interface DatabaseFile extends Database {
  /** Closes the file if necessary. Resolves when the file is closed. */
  closed(): Promise<void>;
}

/**
 * Opens a database file in two threads: one writes, the other reads. A lock, a slow disk or a long read therefore never
 * delays the thread that answers visitors. The number of waiting requests and their time are limited.
 * @throws {DatabaseFault} if the file cannot be opened.
 */
export async function openDatabaseFile(
  file: string,
  { inspect: inspects = false, limitMs = 4_000 }: DatabaseFileOptions = {},
): Promise<DatabaseFile> {
  /** Set if the file is damaged or deleted. All further writes and checks then fail until the site is restarted. */
  let lasting: Error | undefined;
  const noteFault = (outcome: Outcome): void => {
    if (lasting || 'results' in outcome || (outcome.fault !== 'corrupt' && outcome.fault !== 'deleted')) return;
    lasting = new DatabaseFault(outcome.fault, outcome.error);
    logError(`database ${outcome.fault}`, { file }, lasting);
  };

  // Both threads start now, because each takes 100 ms.
  const writer = databaseThread('writer', file, noteFault);
  const reader = databaseThread('reader', file, noteFault);
  let inspections: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    clearInterval(inspections);
    // The last connection to close copies the write-ahead log into the database.
    await reader.close();
    await writer.close();
  };
  const started = await writer.started;
  if ('error' in started) {
    await close();
    throw errorOf(started);
  }

  const read: Database['read'] = async (statement) => {
    if (closing) throw new DatabaseFault('slow');
    return (await reader.ask([statement], limitMs)).flatMap(({ rows }) => rows);
  };
  const write = async (statements: readonly Statement[], ms: number) => {
    if (lasting) throw lasting;
    if (closing) throw new DatabaseFault('slow');
    return await writer.ask(statements, ms);
  };

  /** Reads the whole file for damage, in a separate thread, because this takes seconds. */
  const inspect = async (): Promise<void> => {
    const inspector = databaseThread('reader', file, noteFault);
    try {
      // One transaction: a migration of another thread between two reads would look like damage.
      await inspector.ask([sql`BEGIN`], longLimitMs);
      await inspector.ask([sql`SELECT 1 FROM sqlite_schema`], longLimitMs);
      const [result] = await inspector.ask([sql`PRAGMA quick_check(1)`], longLimitMs);
      const said = text(result?.rows[0]?.quick_check);
      if (said !== 'ok') noteFault({ error: new Error(said), fault: 'corrupt' });
    } catch (error) {
      if (!lasting && !closing) logError('database not inspected', { file }, error);
    }
    await inspector.close();
  };
  const inspected = inspects ? inspect() : undefined;
  if (inspects) inspections = setInterval(() => void inspect(), inspectEveryMs).unref();

  const database: Omit<Database, 'check'> = {
    read,
    write: (...statements) => write(statements, limitMs),
    apply: async (statements) => void (await write(statements, longLimitMs)),
    close: () => void (closing ??= close()),
  };
  return {
    ...database,
    check: async () => {
      await Promise.race([inspected, sleep(firstInspectionMs, undefined, { ref: false })]);
      if (lasting) throw lasting;
      await checkBy(database);
    },
    closed: () => (closing ??= close()),
  };
}

/**
 * Starts a database thread. If the thread ends, for example without memory, it starts again.
 * @param onFault gets every outcome after a successful start.
 */
function databaseThread(role: ThreadData['role'], file: string, onFault: (outcome: Outcome) => void) {
  const waiting = new Map<number, (outcome: Outcome) => void>();
  let worker: Worker | undefined;
  let lastId = 0;
  /** True after a successful start, until the thread is closed. If the thread ends in this time, it starts again. */
  let runs = false;
  let closing = false;
  const answerTo = (id: number) => new Promise<Outcome>((answer) => waiting.set(id, answer));

  const start = (create: boolean): Promise<Outcome> => {
    const thread = new Worker(new URL('./database-thread.ts', import.meta.url), {
      workerData: { role, file, create } satisfies ThreadData,
      // Limits JavaScript memory only. The caches of SQLite are additional.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 },
      // Without the compile cache, each thread loads a TypeScript compiler, which takes 15 MB and 80 ms.
      env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve('.cache/node') },
    });
    worker = thread;
    let cause = new Error('The thread ended.');
    thread.on('message', (message: unknown) => {
      // With `node --watch`, as in `npm run dev`, Node itself sends messages about the files that the thread loads.
      if (!Array.isArray(message)) return;
      for (const { id, outcome } of message as Answers) {
        if (id === 0 && !closing) {
          // From here on, waiting requests keep the process alive, and the thread does not.
          thread.unref();
          runs ||= 'results' in outcome;
        }
        if (runs) onFault(outcome);
        waiting.get(id)?.(outcome);
        waiting.delete(id);
      }
    });
    thread.on('error', (error: Error) => (cause = error));
    thread.on('exit', () => {
      worker = undefined;
      for (const answer of waiting.values()) answer({ error: cause, fault: 'unreachable' });
      waiting.clear();
      if (!runs) return;
      logError('database thread ended', { role, restartInMs: restartMs }, cause);
      setTimeout(() => void start(false), restartMs).unref();
    });
    return answerTo(0);
  };

  return {
    /** Resolves when a writer has opened the file. */
    started: start(role === 'writer'),

    async ask(statements: readonly Statement[], ms: number): Promise<Result[]> {
      if (!worker) throw new DatabaseFault('unreachable');
      if (waiting.size >= mostWaiting) throw new DatabaseFault('slow');
      const id = (lastId += 1);
      worker.postMessage({ id, statements } satisfies Request);
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new DatabaseFault('slow')), ms);
      try {
        const outcome = await Promise.race([answerTo(id), late.promise]);
        if ('error' in outcome) throw errorOf(outcome);
        return outcome.results;
      } finally {
        clearTimeout(timer);
      }
    },

    /** Closes the thread after it has finished its requests. */
    async close(): Promise<void> {
      closing = true;
      runs = false;
      if (!worker) return;
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close');
      await Promise.race([ended, sleep(closeLimitMs, undefined, { ref: false })]);
    },
  };
}

const errorOf = ({ error, fault }: Extract<Outcome, { error: unknown }>): unknown =>
  fault === null ? error : new DatabaseFault(fault, error);
