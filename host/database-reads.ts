import type { Row } from '@libsql/client/http';
import type { Statement } from '../netlify/server/db/database.ts';
import { DatabaseFault } from '../netlify/server/db/fault.ts';
import { resultsOf } from './database-results.ts';
import { refuseAfter, Waiting } from './database-waiting.ts';
import type { KeptThread } from './database-worker.ts';

type Pace = 'quick' | 'long';

/** Maximum number of waiting reads. A read is `long` if an earlier run of its statement took long. */
const mostWaiting: Record<Pace, number> = { quick: 2_000, long: 32 };
/** A read that has not been sent to a reader after this many milliseconds is refused. */
const waitMs: Record<Pace, number> = { quick: 1_000, long: 5_000 };
/**
 * If a reader works on one read for this many milliseconds, the caller gets an error. The reader still finishes the
 * read.
 */
const limitMs = 15_000;
const mostReaders = 2;
/** Maximum number of quick reads that are sent to one reader at a time. */
const readsAhead = 8;
/**
 * If a reader works on one read for longer than this many milliseconds, the other reader takes over the reads that wait
 * for the first reader.
 */
const blockedMs = 50;
/**
 * After a statement has taken longer than this many milliseconds, its later runs use only the first reader, so the
 * second reader stays free for quick reads.
 */
const longReadMs = 100;
/** A long statement that took less than this many milliseconds counts as quick again. */
const quickReadMs = 20;
const rememberedLongReads = 200;

class WaitingRead extends Waiting<Row[]> {
  readonly statement: Statement;
  readonly pace: Pace;

  constructor(statement: Statement, pace: Pace) {
    super();
    this.statement = statement;
    this.pace = pace;
  }
}

interface Reader {
  readonly thread: KeptThread;
  /** The reads that were sent to the thread, oldest first. The thread works on the first read. */
  sent: WaitingRead[];
  /** The time at which the thread started its current read, by `performance.now()`. */
  since: number;
}

/** A queue of reads, and the reader threads that process it. */
export class ReadQueue {
  readonly #open: () => KeptThread;
  readonly #onFault: (error: unknown) => void;
  readonly #readers: Reader[] = [];
  readonly #waiting: Record<Pace, WaitingRead[]> = { quick: [], long: [] };
  /** The SQL of statements that took long. */
  readonly #long = new Set<string>();

  constructor(open: () => KeptThread, onFault: (error: unknown) => void) {
    this.#open = open;
    this.#onFault = onFault;
    this.#addReader();
  }

  get threads(): KeptThread[] {
    return this.#readers.map(({ thread }) => thread);
  }

  get idle(): boolean {
    const { quick, long } = this.#waiting;
    return quick.length + long.length === 0 && this.#readers.every(({ sent }) => sent.length === 0);
  }

  async read(statement: Statement): Promise<Row[]> {
    const pace = this.#long.has(statement.sql) ? 'long' : 'quick';
    if (this.#waiting[pace].length >= mostWaiting[pace]) throw new DatabaseFault('slow');
    const read = new WaitingRead(statement, pace);
    this.#waiting[pace].push(read);
    this.#sendAll();
    return await read.answer;
  }

  /** Refuses reads that have waited too long, and moves the reads behind a long read to a free reader. */
  tick(now: number): void {
    for (const reader of this.#readers) {
      const [current, ...behind] = reader.sent;
      if (!current || now - reader.since < blockedMs) continue;
      if (now - reader.since > limitMs) current.reject(new DatabaseFault('slow'));
      const free = this.#readers.some((other) => other !== reader && other.sent.length === 0);
      if (!free) continue;
      // The current reader may still send results for the moved reads. The first result counts.
      reader.sent = [current];
      this.#waiting.quick.unshift(...behind.filter((one) => one.open));
    }
    for (const pace of ['quick', 'long'] as const) {
      this.#waiting[pace] = refuseAfter(this.#waiting[pace], waitMs[pace], now);
    }
    this.#sendAll();
  }

  #addReader(): void {
    this.#readers.push({ thread: this.#open(), sent: [], since: 0 });
  }

  #sendAll(): void {
    const { quick, long } = this.#waiting;
    const [first] = this.#readers;
    if (first?.sent.length === 0) {
      const next = long.shift();
      if (next) void this.#send(first, next);
    }
    for (;;) {
      const free = this.#freeReader();
      const next = free && quick.shift();
      if (!next) break;
      void this.#send(free, next);
    }
    // The second reader takes 20 MB of memory, so the queue starts it only when needed.
    if (quick.length === 0 || this.#readers.length === mostReaders) return;
    this.#addReader();
    this.#sendAll();
  }

  /** Returns the reader with the fewest reads, among the readers that accept reads now. */
  #freeReader(): Reader | undefined {
    const running = this.#readers.filter(({ thread }) => thread.running);
    // If no reader is running, selects a stopped reader, which rejects each read immediately.
    return (running.length === 0 ? this.#readers : running)
      .filter(({ sent }) => sent.length < readsAhead && sent[0]?.pace !== 'long')
      .filter(({ sent, since }) => sent.length === 0 || performance.now() - since < blockedMs)
      .sort((a, b) => a.sent.length - b.sent.length)[0];
  }

  async #send(reader: Reader, read: WaitingRead): Promise<void> {
    if (reader.sent.length === 0) reader.since = performance.now();
    reader.sent.push(read);
    try {
      const { outcomes, took } = await reader.thread.ask({ kind: 'read', statement: read.statement });
      this.#notePace(read.statement.sql, took);
      read.resolve(outcomes.flatMap((outcome) => resultsOf(outcome).flatMap(({ rows }) => rows)));
    } catch (error) {
      this.#onFault(error);
      read.reject(error);
    }
    reader.sent = reader.sent.filter((one) => one !== read);
    reader.since = performance.now();
    this.#sendAll();
  }

  #notePace(shape: string, took: number): void {
    if (took < quickReadMs) this.#long.delete(shape);
    if (took <= longReadMs || this.#long.has(shape)) return;
    const [oldest] = this.#long;
    if (this.#long.size >= rememberedLongReads && oldest !== undefined) this.#long.delete(oldest);
    this.#long.add(shape);
  }
}
