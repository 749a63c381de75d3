import type { ResultSet } from '@libsql/client/http';
import type { Statement } from '../netlify/server/db/database.ts';
import { DatabaseFault } from '../netlify/server/db/fault.ts';
import { resultsOf } from './database-results.ts';
import { refuseAfter, Waiting } from './database-waiting.ts';
import type { KeptThread } from './database-worker.ts';

/**
 * Maximum number of waiting writes. Further writes are refused immediately. Refused form submissions are stored in the
 * blob store.
 */
const mostWaiting = 1_024;
/** Maximum number of writes in one message to the writer. These writes share a commit, unless one of them fails. */
const largestGroup = 128;
/** Maximum number of messages sent to the writer: the message that the writer works on, and the next one. */
const messagesAhead = 2;
/** The caller of a write gets an error after this many milliseconds. The writer may still commit the write later. */
const limitMs = 10_000;

class WaitingWrite extends Waiting<ResultSet[]> {
  readonly statements: readonly Statement[];

  constructor(statements: readonly Statement[]) {
    super();
    this.statements = statements;
  }
}

/** A queue of writes for the writer thread, in the order of arrival. */
export class WriteQueue {
  readonly #writer: KeptThread;
  readonly #onFault: (error: unknown) => void;
  #waiting: WaitingWrite[] = [];
  readonly #sent = new Set<WaitingWrite>();
  #messages = 0;

  constructor(writer: KeptThread, onFault: (error: unknown) => void) {
    this.#writer = writer;
    this.#onFault = onFault;
  }

  get idle(): boolean {
    return this.#waiting.length + this.#sent.size === 0;
  }

  async write(statements: readonly Statement[]): Promise<ResultSet[]> {
    if (this.#waiting.length + this.#sent.size >= mostWaiting) throw new DatabaseFault('slow');
    const write = new WaitingWrite(statements);
    this.#waiting.push(write);
    // Collects the writes of one iteration of the event loop into one message.
    if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    return await write.answer;
  }

  /** Refuses writes that have waited too long. */
  tick(now: number): void {
    this.#waiting = refuseAfter(this.#waiting, limitMs, now);
    refuseAfter(this.#sent, limitMs, now);
  }

  #flush(): void {
    while (this.#messages < messagesAhead && this.#waiting.length > 0) {
      const group = this.#waiting.slice(0, largestGroup);
      this.#waiting = this.#waiting.slice(group.length);
      void this.#send(group);
    }
  }

  async #send(group: readonly WaitingWrite[]): Promise<void> {
    this.#messages += 1;
    for (const write of group) this.#sent.add(write);
    const resultsAt = await this.#writer.ask({ kind: 'write', writes: group.map(({ statements }) => statements) }).then(
      ({ outcomes }) =>
        (index: number) =>
          resultsOf(outcomes[index]),
      (error: unknown) => () => {
        throw error;
      },
    );
    this.#messages -= 1;
    for (const [index, write] of group.entries()) {
      this.#sent.delete(write);
      try {
        write.resolve(resultsAt(index));
      } catch (error) {
        this.#onFault(error);
        write.reject(error);
      }
    }
    this.#flush();
  }
}
