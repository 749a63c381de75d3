import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** The number of responses by status, such as `200`. `closed` counts requests without a response. */
export type Tally = Record<string, number>;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A client with its own loopback address, such as 127.0.1.7. The host counts each client as a separate visitor. */
export class Client {
  readonly tally: Tally = {};
  readonly #base: URL;
  readonly #address: string;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();

  constructor(base: string, address: string, connections = 16) {
    this.#base = new URL(base);
    this.#address = address;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: address });
  }

  /** Sends a request and reads the whole response. Rejects if the connection breaks, or after 20 seconds. */
  async ask(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
  ): Promise<Answer> {
    const { hostname, port } = this.#base;
    const signal = AbortSignal.timeout(20_000);
    const sent = request({ method, path, hostname, port, headers, agent: this.#agent, signal });
    sent.on('error', () => undefined).end(body);
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const answer = { status: response.statusCode ?? 0, body: await text(response) };
      this.#count(String(answer.status));
      return answer;
    } catch (error) {
      this.#count('closed');
      throw error;
    }
  }

  json(method: string, path: string, value: unknown): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.ask(method, path, { headers, body: JSON.stringify(value) });
  }

  /** Opens a connection, sends bytes and never reads a response. The host decides when to close the connection. */
  open(bytes: string | Buffer): Socket {
    const socket = connect({
      host: this.#base.hostname,
      port: Number(this.#base.port),
      localAddress: this.#address,
    });
    socket.pause();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#count('closed');
    });
    socket.once('error', () => undefined);
    socket.write(bytes);
    return socket;
  }

  /** Number of connections from {@link open} that are still open. */
  get held(): number {
    return this.#sockets.size;
  }

  /** Returns a request line and headers as text, to send on a raw connection. */
  head(method: string, path: string, headers: Record<string, string> = {}): string {
    const all = { host: this.#base.host, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  }

  close(): void {
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  #count(kind: string): void {
    this.tally[kind] = (this.tally[kind] ?? 0) + 1;
  }
}

/**
 * Keeps `atOnce` requests running until the time `until`, in milliseconds since 1970. After a failed request, waits
 * 50 ms before the next request.
 */
export async function flood(until: number, atOnce: number, once: (n: number) => Promise<unknown>): Promise<void> {
  let n = 0;
  const loop = async (): Promise<void> => {
    while (Date.now() < until) {
      n += 1;
      await once(n).catch(() => sleep(50));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

/** Keeps `most` connections open until the time `until` (ms since 1970). The connections send data and never read. */
export async function hold(client: Client, until: number, most: number, bytes: () => string | Buffer): Promise<void> {
  while (Date.now() < until) {
    while (client.held < most) client.open(bytes());
    await sleep(250);
  }
}
