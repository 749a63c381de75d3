import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { ask } from './ask.ts';
import type { RunningHost } from './host-process.ts';

/** Connects clients that send something and never read. @returns a function that disconnects them. */
export function unreading(
  count: number,
  { url }: RunningHost,
  send: string | Buffer,
  from = () => '127.0.0.2',
): () => void {
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from() }).pause();
    socket.on('error', () => undefined).write(send);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Sends a visitor's request on a new connection. @returns the HTTP status, or the error code. */
export const visit = ({ url }: RunningHost, path: string, localAddress = '127.0.0.9'): Promise<number | string> =>
  ask({ port: new URL(url).port, path, localAddress, agent: false }).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

export const residentMegabytes = async ({ pid }: RunningHost) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
