import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './ports.ts';

/** A response of the server. */
interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
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

export type WebhookServer = Awaited<ReturnType<typeof startWebhookServer>>;

/** The secret part of the URL. */
export const webhookSecret = 'T0SECRET-path-9f31';

/** Starts a real HTTP server on this machine that simulates a chat's webhook, or a build hook. */
export async function startWebhookServer() {
  const posts: ReceivedPost[] = [];
  let answer: Answer | null = { status: 200, body: 'ok' };
  const { url, stop } = await serve((request, response) => {
    void (async () => {
      const body = JSON.parse((await text(request)) || '{}') as ReceivedPost['body'];
      posts.push({ path: request.url ?? '', headers: request.headers, body });
      const given = answer;
      if (!given) return;
      response.writeHead(given.status, given.headers).end(given.body);
    })().catch(() => response.destroy());
  });
  return {
    /** The webhook's URL, whose path is a secret. */
    url: `${url}/services/${webhookSecret}`,
    /** Everything that was posted, in the order of arrival, whether it was accepted or not. */
    posts: posts as readonly ReceivedPost[],
    /** Sets the response to all following posts. With `null` the server never responds. */
    answer(next: Answer | null) {
      answer = next;
    },
    close: stop,
  };
}
