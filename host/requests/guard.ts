import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../netlify/server/http/network.ts';
import type { IsTrustedProxy } from './addresses.ts';

/** Limits on what clients may use. A visitor is a network (see {@link networkOf}). */
export interface GuardLimits {
  readonly connections: number;
  /** Does not apply to a trusted proxy, whose connections serve many visitors. */
  readonly connectionsPerVisitor: number;
  /** Maximum number of running requests. A request runs until its response is sent. */
  readonly requests: number;
  readonly requestsPerVisitor: number;
}

export const guardLimits: GuardLimits = {
  connections: 10_000,
  connectionsPerVisitor: 128,
  requests: 512,
  requestsPerVisitor: 128,
};

/**
 * The limit of all requests is twice as high for a visitor with fewer running requests than this number. Otherwise, a
 * few hostile visitors could use up the limit.
 */
const fewRequests = 8;
/** Maximum number of unanswered requests on one connection. Browsers and proxies send one at a time. */
const mostPipelined = 4;

/** Adds up an amount for each visitor. Stores nothing for a visitor whose sum is 0. */
export function tally() {
  const sums = new Map<string, number>();
  let total = 0;
  return {
    of: (visitor: string): number => sums.get(visitor) ?? 0,
    total: (): number => total,
    add(visitor: string, amount: number): void {
      total += amount;
      const sum = (sums.get(visitor) ?? 0) + amount;
      if (sum === 0) sums.delete(visitor);
      else sums.set(visitor, sum);
    },
  };
}

export interface Guard {
  /**
   * Counts a request until its response is sent or its connection is closed.
   * @returns false if a limit is reached, and the caller must refuse the request. Closes a connection with too many
   * unanswered requests.
   */
  readonly admit: (response: ServerResponse, socket: Socket, visitor: string) => boolean;
  /** Returns the number of admitted requests whose responses are not sent yet. */
  readonly running: () => number;
}

/**
 * Limits the connections and the running requests of a server, in total and for each visitor. Resets connections beyond
 * the limits: after an ordinary close, the kernel would keep the data that waits for the client.
 */
export function guard(server: Server, limits: GuardLimits, isTrusted: IsTrustedProxy): Guard {
  const connections = tally();
  const requests = tally();
  /** Unanswered requests, including refused ones: the client may leave their responses unread. */
  const unanswered = new WeakMap<Socket, number>();

  server.maxConnections = limits.connections;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address)) return;
    const visitor = networkOf(address);
    connections.add(visitor, 1);
    socket.once('close', () => connections.add(visitor, -1));
    if (connections.of(visitor) > limits.connectionsPerVisitor) socket.resetAndDestroy();
  });

  return {
    admit(response, socket, visitor) {
      const pipelined = (unanswered.get(socket) ?? 0) + 1;
      unanswered.set(socket, pipelined);
      if (pipelined > mostPipelined) socket.resetAndDestroy();
      response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));

      const own = requests.of(visitor);
      const most = limits.requests * (own < fewRequests ? 2 : 1);
      if (socket.destroyed || own >= limits.requestsPerVisitor || requests.total() >= most) return false;
      requests.add(visitor, 1);
      response.once('close', () => requests.add(visitor, -1));
      return true;
    },
    running: requests.total,
  };
}
