import { existsSync, readFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../netlify/server/http/network.ts';

/** Limits on what clients may use. A visitor is a network (see {@link networkOf}). */
export interface GuardLimits {
  readonly connections: number;
  /** Does not apply to a trusted proxy, whose connections serve many visitors. */
  readonly connectionsPerVisitor: number;
  /** Maximum number of running requests. A request runs until its response is sent. */
  readonly requests: number;
  readonly requestsPerVisitor: number;
  /** Maximum bytes of responses that wait in this process for their clients. */
  readonly waitingBytes: number;
  readonly waitingBytesPerVisitor: number;
}

const mebibyte = 1024 * 1024;

export function guardLimits(): GuardLimits {
  const connections = connectionsFor(openFileLimit());
  return {
    connections,
    connectionsPerVisitor: Math.min(128, Math.ceil(connections / 2)),
    requests: 512,
    requestsPerVisitor: 128,
    waitingBytes: 16 * mebibyte,
    waitingBytesPerVisitor: 8 * mebibyte,
  };
}

/** Returns half of the file descriptors that are left to clients: a connection that downloads a file needs two. */
function connectionsFor(openFiles: number): number {
  const ownFiles = 48;
  return Math.min(10_000, Math.max(8, Math.floor((openFiles - ownFiles) / 2)));
}

/** Returns the number of files and sockets that Linux lets this process open. Other systems have no such file. */
function openFileLimit(): number {
  const file = '/proc/self/limits';
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^Max open files +(\d+)/m.exec(text)?.[1] ?? 4_096);
}

/**
 * The totals are twice as high for a visitor with fewer running requests than this number. Otherwise, a few hostile
 * visitors could use up the totals.
 */
const fewRequests = 8;
/** Maximum number of unanswered requests on one connection. Browsers and proxies send one at a time. */
const mostPipelined = 4;

/** Adds up an amount for each visitor. Stores nothing for a visitor whose sum is 0. */
export function tally() {
  const sums = new Map<string, number>();
  return {
    of: (visitor: string): number => sums.get(visitor) ?? 0,
    add(visitor: string, amount: number): void {
      const sum = (sums.get(visitor) ?? 0) + amount;
      if (sum === 0) sums.delete(visitor);
      else sums.set(visitor, sum);
    },
  };
}

interface Connection {
  /** Unanswered requests, including refused ones: the client may leave their responses unread. */
  unanswered: number;
}

export interface Guard {
  /**
   * Counts a request until its response is sent or its connection is closed.
   * @returns false if a limit is reached, and the caller must refuse the request. Resets a connection with too many
   * unanswered requests.
   */
  admit(response: ServerResponse, socket: Socket, visitor: string): boolean;
  /** The visitors of the admitted requests, by the response that is not sent yet. */
  readonly running: ReadonlyMap<ServerResponse, string>;
}

/**
 * Limits the connections, the running requests and the unread responses of a server, in total and for each visitor.
 * Always resets a connection: after an ordinary close, the kernel would keep the data that waits for the client.
 */
export function guard(server: Server, limits: GuardLimits, isTrusted: (address: string) => boolean): Guard {
  const connections = new Map<Socket, Connection>();
  const byVisitor = tally();
  const running = new Map<ServerResponse, string>();

  /** Resets the oldest connection without a request if there are too many connections. */
  const hasRoom = (): boolean => {
    if (connections.size < limits.connections) return true;
    for (const [socket, { unanswered }] of connections) {
      if (unanswered > 0) continue;
      connections.delete(socket);
      socket.resetAndDestroy();
      return true;
    }
    return false;
  };

  // Runs before Node's own listener, which allocates a parser for each connection, so refusing a connection is cheap.
  const [serve] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const visitor = isTrusted(address) ? null : networkOf(address);
    if ((visitor !== null && byVisitor.of(visitor) >= limits.connectionsPerVisitor) || !hasRoom()) {
      socket.resetAndDestroy();
      return;
    }
    connections.set(socket, { unanswered: 0 });
    if (visitor !== null) byVisitor.add(visitor, 1);
    socket.once('close', () => {
      connections.delete(socket);
      if (visitor !== null) byVisitor.add(visitor, -1);
    });
    serve?.call(server, socket);
  });

  return {
    admit(response, socket, visitor) {
      const connection = connections.get(socket);
      if (!connection) return false;
      if (connection.unanswered >= mostPipelined) {
        socket.resetAndDestroy();
        return false;
      }
      connection.unanswered += 1;
      response.once('close', () => (connection.unanswered -= 1));

      let own = 0;
      let ownBytes = 0;
      let bytes = 0;
      for (const [{ writableLength }, its] of running) {
        bytes += writableLength;
        if (its !== visitor) continue;
        own += 1;
        ownBytes += writableLength;
      }
      if (own >= limits.requestsPerVisitor || ownBytes > limits.waitingBytesPerVisitor) return false;
      const share = own < fewRequests ? 2 : 1;
      if (running.size >= limits.requests * share || bytes > limits.waitingBytes * share) return false;
      running.set(response, visitor);
      response.once('close', () => running.delete(response));
      return true;
    },
    running,
  };
}
