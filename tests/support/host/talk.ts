import { connect } from 'node:net';
import { expect } from 'vitest';

/**
 * Opens a raw HTTP connection, for requests that no client library would send.
 * @param from the client's own IP address. Every IP address of 127.0.0.0/8 works on Linux.
 */
export function talk(port: number, from = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let received = '';
  let error: Error | undefined;
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', (cause) => (error = cause));
  return {
    socket,
    /** Waits for this text, or without a text for the end of the connection. Returns everything received. */
    until: async (text?: string) => {
      const state = () => (text ? received.includes(text) : socket.readableEnded || error);
      await expect.poll(state, { interval: 10 }).toBeTruthy();
      return received;
    },
    /** Returns false if the connection ended with a reset. */
    clean: () => error === undefined,
  };
}
