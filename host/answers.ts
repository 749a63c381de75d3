import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import { remoteEnd, sendQueues } from './send-queues.ts';

export interface AnswerLimits {
  /**
   * Maximum number of requests in progress. A request is in progress until the client has received the whole response.
   */
  readonly total: number;
  readonly perVisitor: number;
  /** Maximum bytes of responses that wait in this process for their clients. */
  readonly totalBytes: number;
  readonly bytesPerVisitor: number;
  /**
   * Disconnects a client that receives less than {@link leastBytes} of its response in this many milliseconds. A client
   * has four times as long if {@link sendQueues} cannot read how many bytes the operating system holds for the client.
   */
  readonly stallMs: number;
}

/**
 * Minimum bytes that a client must receive within `stallMs`. If `stallMs` is 20 s, the minimum is about 200 bytes per
 * second, so a phone on a slow connection still receives its page.
 */
const leastBytes = 4 * 1024;
/** When a limit is reached, clients that have received no data for this fraction of `stallMs` are disconnected. */
const yieldingPart = 1 / 4;
const checksPerStall = 10;
/**
 * `total` and `totalBytes` are twice as high for a visitor with fewer requests in progress than this number. Otherwise,
 * a few hostile IP addresses could use up these two limits and block all other visitors.
 */
const fewRequests = 8;
/** Maximum number of unanswered requests on one connection. Browsers and proxies send one at a time. */
const mostPipelined = 4;

interface Reader {
  readonly socket: Socket;
  /**
   * Responses in progress. There is more than one if the client sends several requests without waiting for responses.
   */
  readonly answers: Set<Answer>;
  /** Number of requests whose response is not finished, including refused requests. */
  unanswered: number;
  /** Bytes that the client had received at {@link progressAt}. */
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
   * Counts a request as in progress until its response is sent or its connection is closed. If a limit is reached,
   * first disconnects clients that do not read their responses.
   * @param visitor the network of the visitor. Requests from one network share the limits of one visitor.
   * @returns false if the caller must refuse the request. A refused request counts only toward {@link mostPipelined}.
   * At that limit, this method resets the connection and shuns its network ({@link Connections.shun}).
   */
  admit(response: ServerResponse, socket: Socket, visitor: string): boolean;
  /**
   * Disconnects clients of one visitor until the visitor's waiting bytes are within the limit or only one response is
   * left.
   */
  trim(visitor: string): void;
  /** Responses that the client has not received completely. */
  inProgress(): Iterable<ServerResponse>;
  readonly size: number;
  /** Resolves once no request is in progress. */
  idle(): Promise<void>;
  stop(): void;
}

/**
 * Limits the number and the bytes of responses that wait for their clients, and disconnects clients that do not read.
 */
export function boundedAnswers(limits: AnswerLimits, connections: Connections): Answers {
  const answers = new Set<Answer>();
  const byVisitor = new Map<string, Set<Answer>>();
  const readers = new WeakMap<Socket, Reader>();
  /** Clients that `check` watches: those with responses in progress now or at the last check. */
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
    // After an ordinary close, the kernel would keep the connection and all data that waits for the client. A reset
    // frees both.
    reader.socket.resetAndDestroy();
  };

  /**
   * Disconnects the client that has received no data for the longest time.
   * @returns false if no client has waited for at least `stallMs` times {@link yieldingPart}.
   */
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

  /**
   * Disconnects stalled clients, the slowest first, until the limits allow another response.
   * @returns false if there is still no room for another response.
   */
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
      // `unanswered` includes refused requests, because the client may leave their responses unread.
      const reader = readerOf(socket);
      if (reader.unanswered >= mostPipelined) {
        disconnect(reader);
        connections.shun(socket);
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
      // If every client is reading, disconnects the client of the newest response, because that response exceeded the
      // limit.
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
