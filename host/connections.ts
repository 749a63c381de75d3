import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../netlify/server/http/network.ts';
import type { IsTrustedProxy } from './trusted-proxies.ts';

export interface ConnectionLimits {
  readonly total: number;
  /**
   * Maximum connections of one network (see {@link networkOf}). Does not apply to a trusted proxy, whose connections
   * serve many visitors.
   */
  readonly perAddress: number;
}

/**
 * Minimum milliseconds between two searches for idle connections, because a search is slow and many new connections can
 * arrive at the same time.
 */
const makeRoomEveryMs = 100;
/**
 * New connections of a shunned client's network are reset for this many milliseconds (see {@link Connections.shun}).
 */
const shunnedMs = 1_000;
/** Maximum number of networks that are shunned at the same time. */
const mostShunned = 1_000;
/** A connection without any data after this time is idle: browsers send a request as soon as they are connected. */
const silentMs = 1_000;

export interface Connections {
  /**
   * Blocks the network of a hostile client: resets the network's open connections that have not received a response,
   * and for a second also its new connections. Otherwise, a hundred connections full of requests would block the event
   * loop, because Node parses all the data that a connection has sent before Node returns to the loop.
   */
  shun(socket: Socket): void;
}

/**
 * Resets connections beyond the limits, so no visitor can use up the file descriptors of this process. If the total
 * reaches its limit, resets idle connections to make room for new connections.
 */
export function boundConnections(server: Server, limits: ConnectionLimits, isTrusted: IsTrustedProxy): Connections {
  const open = new Map<Socket, { readonly network: string | null; readonly since: number }>();
  const byNetwork = new Map<string, number>();
  const shunned = new LRUCache<string, true>({ max: mostShunned, ttl: shunnedMs });
  let madeRoomAt = -Infinity;

  const remove = (socket: Socket): void => {
    const network = open.get(socket)?.network ?? null;
    if (!open.delete(socket) || network === null) return;
    const left = (byNetwork.get(network) ?? 0) - 1;
    if (left > 0) byNetwork.set(network, left);
    else byNetwork.delete(network);
  };

  const isFull = (): boolean => {
    if (open.size < limits.total) return false;
    const now = performance.now();
    if (now - madeRoomAt < makeRoomEveryMs) return true;
    madeRoomAt = now;
    server.closeIdleConnections();
    for (const [socket, { since }] of open) {
      if (socket.bytesRead === 0 && now - since >= silentMs) socket.resetAndDestroy();
      if (socket.destroyed) remove(socket);
    }
    return open.size >= limits.total;
  };

  // Runs before Node's own listener, which allocates a parser for each connection, so refusing a connection is cheap.
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const network = isTrusted(peer) ? null : networkOf(peer);
    const own = network === null ? 0 : (byNetwork.get(network) ?? 0);
    if (own >= limits.perAddress || (network !== null && shunned.has(network)) || isFull()) {
      socket.resetAndDestroy();
      return;
    }
    open.set(socket, { network, since: performance.now() });
    if (network !== null) byNetwork.set(network, own + 1);
    socket.once('close', () => remove(socket));
    for (const listener of serve) listener.call(server, socket);
  });

  return {
    shun(socket) {
      const network = open.get(socket)?.network ?? null;
      if (network === null || shunned.has(network)) return;
      shunned.set(network, true);
      for (const [other, { network: its }] of open) {
        if (other !== socket && its === network && other.bytesWritten === 0) other.resetAndDestroy();
      }
    },
  };
}
