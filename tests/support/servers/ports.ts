import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server on a free port of this machine. By default, it accepts connections and never responds. */
export async function serve(answer: RequestListener = () => undefined, wantedPort = 0) {
  const server = createServer(answer).listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const stopped = once(server.close(), 'close');
      server.closeAllConnections();
      await stopped;
    },
  };
}

/** Returns a port on which no program listens. */
export async function freePort(): Promise<number> {
  const { port, stop } = await serve();
  await stop();
  return port;
}
