import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { remoteEnd, sendQueues } from './send-queues.ts';

export interface AnswerLimits {
  /** Requests in progress, until the client has taken their whole answers. */
  readonly total: number;
  readonly perVisitor: number;
  /** Bytes of answers that wait in this process for their clients. */
  readonly totalBytes: number;
  readonly bytesPerVisitor: number;
  /**
   * Milliseconds after which a client that takes less than {@link leastBytes} of its answer is disconnected. Four times
   * as long if the operating system does not tell how much it holds for the client: see {@link sendQueues}.
   */
  readonly stallMs: number;
}

/** About 200 bytes a second, so a phone on a bad connection always gets its page. */
const leastBytes = 4 * 1024;
/** A client that took nothing for this part of `stallMs` makes room for others if a limit is reached. */
const yieldingPart = 1 / 4;
const checksPerStall = 10;
/**
 * A visitor with fewer requests in progress finds as much room again behind the limits for all visitors: a few hostile
 * addresses that use up those limits would otherwise have every other visitor refused.
 */
const fewRequests = 8;
/** Requests that a client may send on one connection before the first is answered. Browsers and proxies send one. */
const mostPipelined = 4;

interface Reader {
  readonly socket: Socket;
  /** In progress; more than one if the client sends requests before it has the answers to earlier ones. */
  readonly answers: Set<Answer>;
  /** Requests without an answer, including those that were refused. */
  unanswered: number;
  /** Bytes that the client had taken at {@link progressAt}. */
  taken: number;
  progressAt: number;
}

interface Answer {
  readonly response: ServerResponse;
  readonly visitor: string;
  readonly reader: Reader;
}

export interface Answers {
  /**
   * Counts a request until its answer is sent or its connection is closed. If a limit is reached, clients that do not
   * read their answers are disconnected first.
   * @param visitor the network that shares one visitor's limit.
   * @returns false if the limits leave no room for the request, which is then not counted. The socket is destroyed if it
   *   carries too many requests at once.
   */
  admit(response: ServerResponse, socket: Socket, visitor: string): boolean;
  /** Disconnects clients until the bytes that wait for a visitor are within the limits, or wait for one answer alone. */
  trim(visitor: string): void;
  /** Responses that the client has not taken as a whole. */
  inProgress(): Iterable<ServerResponse>;
  readonly size: number;
  /** Resolves once no request is in progress. */
  idle(): Promise<void>;
  stop(): void;
}

/** Bounds how many answers, and bytes of answers, wait for their clients, and disconnects clients that do not read. */
export function boundedAnswers(limits: AnswerLimits): Answers {
  const answers = new Set<Answer>();
  const byVisitor = new Map<string, Set<Answer>>();
  const readers = new WeakMap<Socket, Reader>();
  /** Those that have answers in progress, or had some at the last check. */
  const watched = new Set<Reader>();
  const waiters: (() => void)[] = [];

  const remove = (answer: Answer): void => {
    if (!answers.delete(answer)) return;
    answer.reader.answers.delete(answer);
    const own = byVisitor.get(answer.visitor);
    own?.delete(answer);
    if (own?.size === 0) byVisitor.delete(answer.visitor);
    if (answers.size === 0) for (const resolve of waiters.splice(0)) resolve();
  };

  const disconnect = (reader: Reader): void => {
    watched.delete(reader);
    for (const answer of reader.answers) remove(answer);
    // A connection that is closed in the usual way stays in the kernel, with all that waits for its client.
    reader.socket.resetAndDestroy();
  };

  /** Disconnects the client that has taken nothing for the longest time. @returns false if every client is reading. */
  const disconnectSlowest = (among: Iterable<Answer>): boolean => {
    let slowest: Reader | undefined;
    for (const { reader, response } of among) {
      const waits = response.writableLength > 0 && reader.progressAt <= (slowest?.progressAt ?? Infinity);
      if (waits) slowest = reader;
    }
    if (!slowest || performance.now() - slowest.progressAt < limits.stallMs * yieldingPart) return false;
    disconnect(slowest);
    return true;
  };

  /** @returns false if so much waits that nothing more may. */
  const makeRoom = (among: ReadonlySet<Answer>, most: number, mostBytes: number): boolean => {
    while (among.size >= most || waitingBytes(among) > mostBytes) if (!disconnectSlowest(among)) return false;
    return true;
  };

  const check = async (): Promise<void> => {
    const localPort = [...watched].find(({ socket }) => socket.localPort !== undefined)?.socket.localPort;
    if (localPort === undefined) return;
    const queues = await sendQueues(localPort);
    const now = performance.now();
    for (const reader of watched) {
      const { socket } = reader;
      const queued = queues?.get(remoteEnd(socket));
      const waiting = socket.writableLength + (queued ?? 0);
      const taken = socket.bytesWritten - waiting;
      if (waiting === 0 || taken - reader.taken >= leastBytes) {
        reader.taken = taken;
        reader.progressAt = now;
        if (waiting === 0 && reader.answers.size === 0) watched.delete(reader);
      } else if (now - reader.progressAt >= limits.stallMs * (queued === undefined ? 4 : 1)) {
        disconnect(reader);
      }
    }
  };
  let checking = false;
  const timer = setInterval(() => {
    if (checking) return;
    checking = true;
    void check().finally(() => (checking = false));
  }, limits.stallMs / checksPerStall).unref();

  const readerOf = (socket: Socket): Reader => {
    let reader = readers.get(socket);
    if (!reader) {
      const made: Reader = { socket, answers: new Set(), unanswered: 0, taken: 0, progressAt: 0 };
      readers.set(socket, (reader = made));
      socket.once('close', () => watched.delete(made));
    }
    if (!watched.has(reader)) {
      reader.taken = socket.bytesWritten;
      reader.progressAt = performance.now();
      watched.add(reader);
    }
    return reader;
  };

  return {
    admit(response, socket, visitor) {
      if (socket.destroyed) return false;
      // A refused request's answer can stay unread too.
      const reader = readerOf(socket);
      if (reader.unanswered >= mostPipelined) {
        disconnect(reader);
        return false;
      }
      reader.unanswered += 1;
      response.once('close', () => (reader.unanswered -= 1));
      const own = byVisitor.get(visitor) ?? new Set();
      if (!makeRoom(own, limits.perVisitor, limits.bytesPerVisitor)) return false;
      const share = own.size < fewRequests ? 2 : 1;
      if (!makeRoom(answers, limits.total * share, limits.totalBytes * share)) return false;
      const answer: Answer = { response, visitor, reader };
      reader.answers.add(answer);
      answers.add(answer);
      byVisitor.set(visitor, own.add(answer));
      response.once('close', () => remove(answer));
      return true;
    },
    trim(visitor) {
      const own = byVisitor.get(visitor);
      // The newest answer is the one that went beyond the limit.
      while (own && own.size > 1 && waitingBytes(own) > limits.bytesPerVisitor) {
        const newest = [...own].filter(({ response }) => response.writableLength > 0).at(-1);
        if (disconnectSlowest(own)) continue;
        if (!newest) return;
        disconnect(newest.reader);
      }
    },
    *inProgress() {
      for (const { response } of answers) yield response;
    },
    get size() {
      return answers.size;
    },
    async idle() {
      if (answers.size > 0) await new Promise<void>((resolve) => void waiters.push(resolve));
    },
    stop: () => clearInterval(timer),
  };
}

function waitingBytes(among: Iterable<Answer>): number {
  let bytes = 0;
  for (const { response } of among) bytes += response.writableLength;
  return bytes;
}
