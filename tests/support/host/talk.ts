import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

/** A raw HTTP connection, for requests that no client library would send. */
export interface Talk {
  readonly socket: Socket;
  /** Waits for this text, or without a text for the end of the connection. Returns everything received. */
  readonly until: (text?: string) => Promise<string>;
  /** Returns false if the connection ended with a reset. */
  readonly clean: () => boolean;
}

/** @param from the client's own IP address. Every IP address of 127.0.0.0/8 works on Linux. */
export function talk(port: number, from = '127.0.0.1'): Talk {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let received = '';
  let error: Error | undefined;
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', (cause) => (error = cause));
  return {
    socket,
    until: async (text) => {
      const state = () => (text ? received.includes(text) : socket.readableEnded || error);
      await expect.poll(state, { interval: 10 }).toBeTruthy();
      return received;
    },
    clean: () => error === undefined,
  };
}
