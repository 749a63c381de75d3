import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
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
export function visit(host: RunningHost, path: string, localAddress = '127.0.0.9'): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request(host.url + path, { localAddress, agent: false, timeout: 120_000 }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('timeout', () => resolve('timeout'));
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end();
  });
}

export const residentMegabytes = async ({ pid }: RunningHost) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
