import type { RequestListener } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { serve as serveOn } from '../../../tests/support/servers/ports.ts';
import { ApiError, request } from './api.ts';

async function serve(answer: RequestListener): Promise<string> {
  const { url, stop } = await serveOn(answer);
  onTestFinished(stop);
  return `${url}/api/thing`;
}

afterEach(() => vi.unstubAllGlobals());

const thing = z.object({ name: z.string() });
const notReached = {
  name: 'NetworkError',
  message: 'We couldn’t reach the site. Please check your connection and try again.',
};
const tooLong = { name: 'NetworkError', message: 'The site took too long to respond. Please try again.' };

test('a stored bearer token is sent', async () => {
  const seen: (string | undefined)[] = [];
  const url = await serve((incoming, response) => {
    seen.push(incoming.headers.authorization);
    response.writeHead(204).end();
  });
  await request(url);
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'authToken' ? 'abc' : null) });
  await request(url, { method: 'DELETE' });
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  await request(url);
  expect(seen).toEqual([undefined, 'Bearer abc', undefined]);
});

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

test.each<[is: string, answer: RequestListener, error: object]>([
  [
    'a refusal has the message of its body',
    answering(404, '{"message":"No such thing."}'),
    { message: '404: No such thing.' },
  ],
  ['an empty message is no message', answering(404, '{"message":""}'), { message: '404: {"message":""}' }],
  ['a refusal of a proxy has the text of its body', answering(404, 'Gone fishing\n'), { message: '404: Gone fishing' }],
  ['a refusal without a body has the status text', answering(404, ''), { name: 'ApiError', message: '404: Not Found' }],
  [
    'a refusal has its status, code, field messages, request id and waiting time',
    answering(429, '{"code":"slow","errors":{"email":"No."}}', { 'retry-after': '17', 'x-request-id': 'r2' }),
    { status: 429, code: 'slow', requestId: 'r2', errors: { email: 'No.' }, retryAfterSeconds: 17 },
  ],
  ['a request without a response ends after the time limit', () => undefined, tooLong],
  [
    'a body that stops in the middle ends too',
    (_, response) => void response.writeHead(200).write('{"name":'),
    tooLong,
  ],
  ['a lost connection has a readable message', (incoming) => void incoming.socket.destroy(), notReached],
  ['a page in place of JSON is an error', answering(200, '<p>Please sign in</p>'), { name: 'NetworkError' }],
])('%s', async (_, answer, error) => {
  const limit = error === tooLong ? { timeoutMs: 200 } : {};
  await expect(request(await serve(answer), { schema: thing, ...limit })).rejects.toMatchObject(error);
});

test('a waiting time given as a date is converted to seconds', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-02T18:30:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const headers = { 'retry-after': 'Mon, 02 Mar 2026 18:30:30 GMT' };
  expect(new ApiError(new Response('', { status: 503, headers }), '').retryAfterSeconds).toBe(30);
});

test('the caller’s signal aborts the request with the caller’s reason', async () => {
  const url = await serve(() => undefined);
  const caller = new AbortController();
  const running = request(url, { signal: caller.signal });
  caller.abort(new Error('left'));
  await expect(running).rejects.toThrow('left');
});
