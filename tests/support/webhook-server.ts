import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What it answers: a status with these words, or nothing at all. */
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Milliseconds before it. */
  readonly after?: number;
}

interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown> & { text: string };
}

export interface WebhookServer {
  /** With a path that is a secret. */
  readonly url: string;
  /** Everything that was posted, in the order of arrival, taken or not. */
  readonly posts: readonly ReceivedPost[];
  /** From now on; `null` never answers. */
  answer(answer: Answer | null): void;
  close(): Promise<void>;
}

/** The part of the address that nobody may see. */
export const webhookSecret = 'T0SECRET-path-9f31';

/** A real HTTP server on this machine in the place of a chat's webhook. */
export async function startWebhookServer({ port = 0 } = {}): Promise<WebhookServer> {
  const posts: ReceivedPost[] = [];
  let answer: Answer | null = { status: 200, body: 'ok' };
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedPost['body'];
      posts.push({ path: request.url ?? '', headers: request.headers, body });
      const given = answer;
      if (!given) return;
      if (given.after) await sleep(given.after, undefined, { ref: false });
      response.writeHead(given.status, given.headers).end(given.body);
    })().catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/${webhookSecret}`,
    posts,
    answer(next) {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
