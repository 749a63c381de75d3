import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A response of the server. */
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The delay of the response, in milliseconds. */
  readonly after?: number;
}

interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    text: string;
    attachments?: {
      contentType: string;
      content: { body: { type: string; inlines: { text: string }[] }[]; actions: { url: string }[] };
    }[];
  };
}

export interface WebhookServer {
  /** The webhook's URL, whose path is a secret. */
  readonly url: string;
  /** Everything that was posted, in the order of arrival, whether it was accepted or not. */
  readonly posts: readonly ReceivedPost[];
  /** Sets the response to all following posts. With `null` the server never responds. */
  answer(answer: Answer | null): void;
  close(): Promise<void>;
}

/** The secret part of the URL. */
export const webhookSecret = 'T0SECRET-path-9f31';

/** Starts a real HTTP server on this machine that simulates a chat's webhook, or a build hook. */
export async function startWebhookServer({ port = 0 } = {}): Promise<WebhookServer> {
  const posts: ReceivedPost[] = [];
  let answer: Answer | null = { status: 200, body: 'ok' };
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse((await text(request)) || '{}') as ReceivedPost['body'];
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
