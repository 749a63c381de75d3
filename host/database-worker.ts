import { resolve } from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { DatabaseFault } from '../netlify/server/db/fault.ts';
import { logError } from '../netlify/server/runtime/log.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './database-protocol.ts';
import { resultsOf } from './database-results.ts';

/** The pause before the second restart in a row, in milliseconds. Each further restart doubles the pause. */
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** A thread that ran for more than this many milliseconds is replaced without a pause when it ends. */
const stableMs = 10_000;

export type Role = ThreadData['role'];
type Request = ThreadRequest extends infer One ? (One extends { id: number } ? Omit<One, 'id'> : never) : never;

interface Unanswered {
  resolve(answer: ThreadAnswer): void;
  reject(error: unknown): void;
}

/**
 * A database thread and its unanswered requests. While there are unanswered requests, the thread keeps the process
 * alive.
 */
export class DatabaseThread {
  /** Resolves when a writer or reader accepts requests, or when an inspector has found no damage. Rejects otherwise. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended, with the error that ended it. */
  readonly ended: Promise<unknown>;
  readonly #worker: Worker;
  readonly #unanswered = new Map<number, Unanswered>();
  #lastId = 0;
  #end: { readonly cause: unknown } | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    // The first message of a thread has the id 0.
    this.ready = this.#answerTo(0).then(({ outcomes }) => {
      for (const outcome of outcomes) resultsOf(outcome);
    });
    // Prevents an unhandled rejection if no caller awaits `ready`. Callers can await `ended` instead, which resolves
    // because a thread that cannot start also ends.
    this.ready.catch(() => undefined);
    worker.on('message', (answer: ThreadAnswer) => {
      this.#take(answer.id)?.resolve(answer);
    });
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    this.ended = new Promise((resolveEnded) => {
      worker.on('exit', () => {
        this.#end = { cause };
        // Resolves before the requests are rejected, so a new thread is running when callers retry.
        resolveEnded(cause);
        for (const id of this.#unanswered.keys()) this.#take(id)?.reject(new DatabaseFault('unreachable', cause));
      });
    });
  }

  /** @throws {DatabaseFault} `unreachable` if the thread ends or has ended. */
  async ask(request: Request): Promise<ThreadAnswer> {
    if (this.#end) throw new DatabaseFault('unreachable', this.#end.cause);
    const id = ++this.#lastId;
    if (this.#unanswered.size === 0) this.#worker.ref();
    const answer = this.#answerTo(id);
    try {
      this.#worker.postMessage({ ...request, id });
    } catch (error) {
      // The statement contains a value that cannot be copied to the thread.
      this.#take(id)?.reject(error);
    }
    return await answer;
  }

  /** Closes the thread after it has finished its requests. */
  close(): void {
    this.#worker.postMessage({ kind: 'close' } satisfies ThreadRequest);
    this.#worker.ref();
  }

  /** Ends the thread after its current statement. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #answerTo(id: number): Promise<ThreadAnswer> {
    return new Promise((resolveAnswer, reject) => {
      this.#unanswered.set(id, { resolve: resolveAnswer, reject });
    });
  }

  #take(id: number): Unanswered | undefined {
    const taken = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#worker.unref();
    return taken;
  }
}

export function startThread(role: Role, file: string, opened: SharedArrayBuffer): DatabaseThread {
  const workerData: ThreadData = { role, file, opened };
  return new DatabaseThread(
    new Worker(new URL('./database-thread.ts', import.meta.url), {
      workerData,
      // Limits JavaScript memory only. The caches of the native library are additional.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 },
      // Without the compile cache, each thread loads a TypeScript compiler, which takes 15 MB and 80 ms.
      env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve('.cache/node') },
    }),
  );
}

/**
 * A database thread that restarts when it ends, for example because its memory is exhausted. If a thread ends soon
 * after its start, the restart is delayed, and requests are rejected until the restart.
 */
export class KeptThread {
  readonly #role: Role;
  readonly #start: () => DatabaseThread;
  readonly #onFault: (error: unknown) => void;
  #thread: DatabaseThread | undefined;
  #pause = 0;
  #restart: NodeJS.Timeout | undefined;
  #closing = false;

  /** @param onFault called with the error when a new thread could not start. */
  constructor(role: Role, start: () => DatabaseThread, onFault: (error: unknown) => void) {
    this.#role = role;
    this.#start = start;
    this.#onFault = onFault;
    this.#run();
  }

  /** False between the end of a thread and the start of the next one. */
  get running(): boolean {
    return this.#thread !== undefined;
  }

  async ask(request: Request): Promise<ThreadAnswer> {
    if (!this.#thread) throw new DatabaseFault('unreachable');
    return await this.#thread.ask(request);
  }

  /** Closes the thread after it has finished its requests, and does not start another thread. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    this.#thread?.close();
    await this.#thread?.ended;
  }

  #run(): void {
    const began = performance.now();
    let thread: DatabaseThread;
    try {
      thread = this.#start();
    } catch (error) {
      // The operating system refused to start a thread.
      this.#replace(began, error);
      return;
    }
    this.#thread = thread;
    thread.ready.catch(this.#onFault);
    void thread.ended.then((cause) => this.#replace(began, cause));
  }

  #replace(began: number, cause: unknown): void {
    this.#thread = undefined;
    if (this.#closing) return;
    const pause = performance.now() - began > stableMs ? 0 : this.#pause;
    logError('database thread ended', { role: this.#role, restartInMs: pause }, cause);
    this.#pause = Math.min(Math.max(pause * 2, firstPauseMs), longestPauseMs);
    if (pause === 0) this.#run();
    else this.#restart = setTimeout(() => this.#run(), pause).unref();
  }
}
