import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server on a free port of this machine. @returns its port and a function that stops it. */
export async function serve(answer: RequestListener = () => undefined) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, stop: async () => void (await once(server.close(), 'close')) };
}

/** Returns a port on which no program listens. */
export async function freePort(): Promise<number> {
  const { port, stop } = await serve();
  await stop();
  return port;
}
