import type { Server } from 'node:http';
import { networkOf } from '../netlify/server/http/network.ts';
import type { IsTrustedProxy } from './trusted-proxies.ts';

export interface ConnectionLimits {
  readonly total: number;
  /** Connections of one network (see {@link networkOf}). A trusted proxy may have more: its visitors share it. */
  readonly perAddress: number;
}

/** From this part of all connections on, connections without a request are closed to make room for new ones. */
const crowdedPart = 0.9;

/** Closes connections beyond the limits at once, so nobody can use up the open files of this process. */
export function boundConnections(server: Server, limits: ConnectionLimits, isTrusted: IsTrustedProxy): void {
  let open = 0;
  const byNetwork = new Map<string, number>();
  server.on('connection', (socket) => {
    const peer = socket.remoteAddress ?? '';
    const network = isTrusted(peer) ? null : networkOf(peer);
    const own = network === null ? 0 : (byNetwork.get(network) ?? 0);
    if (open >= limits.total * crowdedPart) server.closeIdleConnections();
    if (open >= limits.total || own >= limits.perAddress) {
      socket.resetAndDestroy();
      return;
    }
    open += 1;
    if (network !== null) byNetwork.set(network, own + 1);
    socket.once('close', () => {
      open -= 1;
      if (network === null) return;
      const left = (byNetwork.get(network) ?? 0) - 1;
      if (left > 0) byNetwork.set(network, left);
      else byNetwork.delete(network);
    });
  });
}
