import { type IncomingHttpHeaders, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** Returns the options of a `fetch` that sends JSON. */
export const sendJson = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/**
 * Sends a request with exactly this path and these headers, and follows no redirect. It takes a third of the time of a
 * request by fetch.
 */
export const ask = (options: RequestOptions, sent: string | Buffer = '') =>
  new Promise<Answer>((resolve, reject) => {
    const request = options.protocol === 'https:' ? requestHttps : requestHttp;
    request({ host: '127.0.0.1', ...options }, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body, text: String(body) }), reject);
    })
      .once('error', reject)
      .end(sent);
  });
