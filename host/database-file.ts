import { resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ResultSet, Row } from '@libsql/client/http';
import { type Database, type Statement, sql } from '../netlify/server/db/database.ts';
import { DatabaseFault, isDatabaseFault } from '../netlify/server/db/fault.ts';
import { logError } from '../netlify/server/log.ts';
import type { FileIdentity } from './database-guard.ts';
import {
  errorOf,
  type Outcome,
  resultOf,
  type ThreadAnswer,
  type ThreadData,
  type ThreadRequest,
} from './database-protocol.ts';

/** So many writes may wait; more are refused at once. Submissions then wait in the blob store. */
const mostWaitingWrites = 1_024;
/** So many writes cross to the writer in one message and, unless one of them fails, share a commit. */
const largestGroup = 128;
/** So many messages are with the writer at a time: one that it works on and one that it takes up next. */
const messagesAhead = 2;
/** A write that has no answer after this time is refused. Its commit may still come. */
const writeLimitMs = 10_000;

/** So many reads may wait: those that are quick, and those that are known to take long. */
const mostWaitingReads = { quick: 2_000, long: 32 };
/** A read that has not begun after this time is refused. */
const readWaitMs = { quick: 1_000, long: 5_000 };
/** A read that has no answer after this time is refused. Its reader stays busy with it. */
const readLimitMs = 15_000;
const mostReaders = 2;
/** So many quick reads are with one reader at a time. */
const readsAhead = 8;
/** A reader that works on one read for longer than this gives the reads behind it to the other reader. */
const blockedMs = 50;
/** A statement that took longer than this runs on the first reader alone from then on: the other is kept for quick ones. */
const longReadMs = 100;
/** Such a statement that took less than this counts as quick again. */
const quickReadMs = 20;
const rememberedLongReads = 200;

const tickMs = 25;
const checkLimitMs = 2_000;
const closeLimitMs = 5_000;

/** The pause after an inspection is at least so many times as long as the inspection. */
const inspectShare = 20;
/** A check waits so long for the first inspection. */
const firstInspectionMs = 3_000;

type Settle = (answer: ThreadAnswer | Error) => void;

/** A thread and the requests that it has not answered. It keeps the process alive for as long as there are any. */
class Thread {
  readonly ready: Promise<void>;
  readonly exited: Promise<void>;
  identity: FileIdentity | null;
  readonly #worker: Worker;
  readonly #unanswered = new Map<number, Settle>();

  constructor(role: ThreadData['role'], file: string, opened: FileIdentity | null) {
    this.identity = opened;
    const workerData: ThreadData = { role, file, opened };
    this.#worker = new Worker(new URL('./database-thread.ts', import.meta.url), {
      workerData,
      // For what JavaScript keeps; the library's own caches come on top.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 },
      // Without it each thread keeps a compiler for TypeScript: 15 MB and 80 ms.
      env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve('.cache/node') },
    });
    this.ready = new Promise((resolve, reject) => {
      this.#unanswered.set(0, (answer) => {
        const problem = answer instanceof Error ? answer : errorIn(answer.outcomes[0]);
        if (problem) reject(problem);
        else resolve();
      });
    });
    this.#worker.on('message', (answer: ThreadAnswer) => {
      this.identity ??= answer.identity;
      this.#settle(answer.id, answer);
    });
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        for (const id of this.#unanswered.keys()) this.#settle(id, new DatabaseFault('unreachable', cause));
        resolve();
      });
    });
  }

  send(request: Exclude<ThreadRequest, { kind: 'close' }>, settle: Settle): void {
    if (this.#unanswered.size === 0) this.#worker.ref();
    this.#unanswered.set(request.id, settle);
    try {
      this.#worker.postMessage(request);
    } catch (error) {
      // A value that cannot be copied to the thread: the statement is wrong.
      this.#settle(request.id, error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Lets the thread finish what it has been sent. */
  close(): void {
    this.#worker.postMessage({ kind: 'close' } satisfies ThreadRequest);
    this.#worker.ref();
  }

  #settle(id: number, answer: ThreadAnswer | Error): void {
    const settle = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#worker.unref();
    settle?.(answer);
  }
}

function errorIn(outcome: Outcome | undefined): Error | null {
  return outcome && 'error' in outcome ? errorOf(outcome.error) : null;
}

interface Waiting<T> {
  readonly since: number;
  /** False once it has been answered or refused. */
  open: boolean;
  resolve(value: T): void;
  reject(error: unknown): void;
}

interface WaitingWrite extends Waiting<ResultSet[]> {
  readonly statements: readonly Statement[];
}

interface WaitingRead extends Waiting<Row[]> {
  readonly statement: Statement;
  readonly pace: 'quick' | 'long';
}

interface Reader {
  thread: Thread;
  /** What it has been sent, oldest first: it works on the first one. */
  sent: WaitingRead[];
  /** Since when it works on the first one. */
  since: number;
}

export interface DatabaseFile extends Database {
  /** Resolves when the file is closed. */
  closed(): Promise<void>;
}

/**
 * Opens a database file in threads of its own: one that writes and two that read what was committed last. A lock, a slow
 * disk or a long read therefore never delays the thread that answers visitors. Everything that waits has a limit and a place in a queue of
 * limited length.
 * @param inspectEveryMs after this time the file is read for damage again, in milliseconds.
 * @throws {DatabaseFault} where the file cannot be opened.
 */
export async function openDatabaseFile(
  file: string,
  { inspectEveryMs = 30_000 }: { readonly inspectEveryMs?: number } = {},
): Promise<DatabaseFile> {
  let lastId = 0;
  let closing: Promise<void> | undefined;
  /** What stays wrong until the site is started again. */
  let lasting: DatabaseFault | undefined;

  const noteFault = (error: unknown): void => {
    if (lasting || !isDatabaseFault(error) || !['corrupt', 'deleted'].includes(error.fault)) return;
    // A damaged search index is made again from its rows; the rows themselves are sound.
    const { extendedCode } = (error.cause ?? {}) as { extendedCode?: string };
    if (extendedCode === 'SQLITE_CORRUPT_VTAB') return;
    lasting = error;
    logError(`database ${error.fault}`, { file }, error);
  };

  let writer = new Thread('writer', file, null);
  await writer.ready;
  const { identity } = writer;
  const readers: Reader[] = [];

  // A thread ends unasked where it runs out of memory; another one takes its place.
  const replaceWhenEnded = (thread: Thread, replace: () => Thread): void => {
    void thread.exited.then(() => {
      if (closing) return;
      const next = replace();
      next.ready.catch(noteFault);
      setTimeout(() => replaceWhenEnded(next, replace), tickMs).unref();
    });
  };
  replaceWhenEnded(writer, () => (writer = new Thread('writer', file, identity)));
  const addReader = (): void => {
    const reader: Reader = { thread: new Thread('reader', file, identity), sent: [], since: 0 };
    readers.push(reader);
    replaceWhenEnded(reader.thread, () => {
      reader.sent = [];
      return (reader.thread = new Thread('reader', file, identity));
    });
  };
  addReader();

  // Writes.

  let writes: WaitingWrite[] = [];
  const sentWrites = new Set<WaitingWrite>();
  let messages = 0;

  const flushWrites = (): void => {
    while (messages < messagesAhead && writes.length > 0) {
      const group = writes.slice(0, largestGroup);
      writes = writes.slice(group.length);
      for (const write of group) sentWrites.add(write);
      messages += 1;
      writer.send({ kind: 'write', id: ++lastId, writes: group.map(({ statements }) => statements) }, (answer) => {
        messages -= 1;
        for (const [index, write] of group.entries()) {
          sentWrites.delete(write);
          const outcome = answer instanceof Error ? undefined : answer.outcomes[index];
          const error = answer instanceof Error ? answer : errorIn(outcome);
          if (error) noteFault(error);
          if (!write.open) continue;
          write.open = false;
          if (error) write.reject(error);
          else if (outcome && 'results' in outcome) write.resolve(outcome.results.map(resultOf));
        }
        flushWrites();
      });
    }
  };

  const write = (...statements: Statement[]): Promise<ResultSet[]> =>
    new Promise((resolve, reject) => {
      if (lasting) return reject(lasting);
      if (closing || writes.length + sentWrites.size >= mostWaitingWrites) return reject(new DatabaseFault('slow'));
      writes.push({ since: performance.now(), open: true, resolve, reject, statements });
      // Those that are asked for in the same turn of the event loop go together.
      if (writes.length === 1) setImmediate(flushWrites);
      keepTime();
    });

  // Reads.

  const longReads = new Set<string>();
  const waitingReads: Record<WaitingRead['pace'], WaitingRead[]> = { quick: [], long: [] };

  const notePace = ({ sql: shape }: Statement, took: number): void => {
    if (took < quickReadMs) longReads.delete(shape);
    if (took <= longReadMs || longReads.has(shape)) return;
    const [oldest] = longReads;
    if (longReads.size >= rememberedLongReads && oldest !== undefined) longReads.delete(oldest);
    longReads.add(shape);
  };

  const sendRead = (reader: Reader, read: WaitingRead): void => {
    if (reader.sent.length === 0) reader.since = performance.now();
    reader.sent.push(read);
    reader.thread.send({ kind: 'read', id: ++lastId, statement: read.statement }, (answer) => {
      reader.sent = reader.sent.filter((one) => one !== read);
      reader.since = performance.now();
      const outcome = answer instanceof Error ? undefined : answer.outcomes[0];
      const error = answer instanceof Error ? answer : errorIn(outcome);
      if (!(answer instanceof Error)) notePace(read.statement, answer.took);
      if (error) noteFault(error);
      if (read.open) {
        read.open = false;
        if (error) read.reject(error);
        else if (outcome && 'results' in outcome) read.resolve(outcome.results.flatMap((one) => resultOf(one).rows));
      }
      sendReads();
    });
  };

  const sendReads = (): void => {
    const [first] = readers;
    if (first?.sent.length === 0) {
      const next = waitingReads.long.shift();
      if (next) sendRead(first, next);
    }
    for (;;) {
      const free = readers
        .filter(({ sent }) => sent.length < readsAhead && sent[0]?.pace !== 'long')
        .filter(({ sent, since }) => sent.length === 0 || performance.now() - since < blockedMs)
        .sort((a, b) => a.sent.length - b.sent.length)[0];
      const next = free && waitingReads.quick.shift();
      if (!next) break;
      sendRead(free, next);
    }
    // The second reader is started when it is first needed: it takes 20 MB.
    if (waitingReads.quick.length === 0 || readers.length === mostReaders || closing) return;
    addReader();
    sendReads();
  };

  const read = (statement: Statement): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const pace = longReads.has(statement.sql) ? 'long' : 'quick';
      if (closing || waitingReads[pace].length >= mostWaitingReads[pace]) return reject(new DatabaseFault('slow'));
      waitingReads[pace].push({ since: performance.now(), open: true, resolve, reject, statement, pace });
      sendReads();
      keepTime();
    });

  // Limits of time.

  let ticking: NodeJS.Timeout | undefined;

  const refuse = (waiting: Waiting<never>): void => {
    if (waiting.open) waiting.reject(new DatabaseFault('slow'));
    waiting.open = false;
  };
  const refuseAfter = <T extends Waiting<never>>(list: readonly T[], limit: number, now: number): T[] => {
    for (const one of list) if (now - one.since > limit) refuse(one);
    return list.filter((one) => one.open);
  };

  const tick = (): void => {
    const now = performance.now();
    writes = refuseAfter(writes, writeLimitMs, now);
    refuseAfter([...sentWrites], writeLimitMs, now);
    for (const reader of readers) {
      const [current, ...behind] = reader.sent;
      if (!current) continue;
      if (now - reader.since > readLimitMs) refuse(current);
      if (now - reader.since < blockedMs) continue;
      // Their answers, should this reader come to them, are then ignored.
      const free = readers.find((other) => other !== reader && other.sent.length === 0);
      if (!free) continue;
      reader.sent = [current];
      waitingReads.quick.unshift(...behind.filter((one) => one.open));
    }
    for (const pace of ['quick', 'long'] as const) {
      waitingReads[pace] = refuseAfter(waitingReads[pace], readWaitMs[pace], now);
    }
    sendReads();
    const idle = writes.length + sentWrites.size === 0 && readers.every(({ sent }) => sent.length === 0);
    if (!idle || waitingReads.quick.length + waitingReads.long.length > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
  const keepTime = (): void => {
    ticking ??= setInterval(tick, tickMs);
  };

  // Inspections.

  let inspecting: Promise<void> | undefined;
  let inspected = false;
  let nextInspection: NodeJS.Timeout | undefined;
  const inspect = async (): Promise<void> => {
    const began = performance.now();
    await new Thread('inspector', file, identity).ready.catch(async (error: unknown) => {
      // The writer finds a deleted file too, and saves what it still holds.
      if (isDatabaseFault(error) && error.fault === 'deleted') await write().catch(() => undefined);
      else noteFault(error);
    });
    inspected = true;
    if (closing || lasting) return;
    const pause = Math.max(inspectEveryMs, inspectShare * (performance.now() - began));
    nextInspection = setTimeout(() => void inspect(), pause).unref();
  };

  const close = async (): Promise<void> => {
    clearTimeout(nextInspection);
    const threads = [writer, ...readers.map(({ thread }) => thread)];
    for (const thread of threads) thread.close();
    const limit = new Promise((resolve) => void setTimeout(resolve, closeLimitMs).unref());
    await Promise.race([Promise.all(threads.map(({ exited }) => exited)), limit]);
  };

  return {
    read,
    write,
    apply: (statements) =>
      new Promise((resolve, reject) => {
        writer.send({ kind: 'apply', id: ++lastId, statements }, (answer) => {
          const error = answer instanceof Error ? answer : errorIn(answer.outcomes[0]);
          if (error) reject(error);
          else resolve();
        });
      }),
    check: async () => {
      // Only a server checks its database. It is inspected from now on, and its start waits a while for the first time.
      if (!inspected)
        await Promise.race([(inspecting ??= inspect()), sleep(firstInspectionMs, undefined, { ref: false })]);
      if (lasting) throw lasting;
      const written = new Promise<void>((resolve, reject) => {
        writer.send({ kind: 'check', id: ++lastId }, (answer) => {
          const error = answer instanceof Error ? answer : errorIn(answer.outcomes[0]);
          if (error) noteFault(error);
          if (error) reject(error);
          else resolve();
        });
        setTimeout(() => reject(new DatabaseFault('slow')), checkLimitMs).unref();
      });
      await Promise.all([written, read(sql('SELECT at FROM health_checks'))]);
    },
    close: () => void (closing ??= close()),
    closed: () => (closing ??= close()),
  };
}
