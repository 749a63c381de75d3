import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, NetworkError, request } from './api.ts';

let server: Server | undefined;

async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/thing`;
}

afterEach(() => {
  vi.unstubAllGlobals();
  server?.closeAllConnections();
  server?.close();
});

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk as string;
  return text;
}

const thing = z.object({ name: z.string() });
const errorOf = (run: Promise<unknown>): Promise<unknown> => run.catch((error: unknown) => error);

test('JSON is sent and received, and parsed with the schema', async () => {
  const seen: unknown[] = [];
  const url = await serve((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      seen.push(incoming.method, incoming.headers['content-type'], incoming.headers['x-mine'], body);
      response.end('{"name":"ledger","extra":1}');
    });
  });
  const answer = await request(url, { body: { a: 'ü' }, schema: thing, headers: { 'x-mine': 'yes' } });
  expect(answer).toEqual({ name: 'ledger' });
  expect(seen).toEqual(['POST', 'application/json', 'yes', '{"a":"ü"}']);
});

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

test.each([
  ['{"message":"No such thing.","code":"not_found","requestId":"r1"}', '404: No such thing.'],
  ['{"message":""}', '404: {"message":""}'],
  ['Gone fishing\n', '404: Gone fishing'],
  ['', '404: Not Found'],
])('a refusal with the body %j has the message %j', async (body, message) => {
  const url = await serve((_incoming, response) => void response.writeHead(404).end(body));
  const error = await errorOf(request(url, { schema: thing }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ message, status: 404 });
});

test('the reason for people has no status', async () => {
  for (const [body, reason] of [
    ['{"message":"No such thing."}', 'No such thing.'],
    ['<html><body>Bad gateway</body></html>', undefined],
    ['x'.repeat(301), undefined],
  ]) {
    expect(new ApiError(new Response(body, { status: 502 }), body ?? '').reason).toBe(reason);
  }
});

test('a refusal has its code, field messages, request id and waiting time', async () => {
  const url = await serve((_incoming, response) => {
    response.writeHead(429, { 'retry-after': '17', 'x-request-id': 'r2' });
    response.end('{"message":"Slow down.","code":"too_many_requests","errors":{"email":"No."}}');
  });
  expect(await errorOf(request(url))).toMatchObject({
    code: 'too_many_requests',
    requestId: 'r2',
    errors: { email: 'No.' },
    retryAfterSeconds: 17,
  });
});

test('a waiting time given as a date is converted to seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-02T18:30:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const url = await serve((_incoming, response) => {
    response.writeHead(503, { 'retry-after': 'Mon, 02 Mar 2026 18:30:30 GMT' }).end();
  });
  expect(await errorOf(request(url))).toMatchObject({ retryAfterSeconds: 30 });
});

test('a request without a response ends after the time limit', async () => {
  const url = await serve(() => undefined);
  const error = await errorOf(request(url, { timeoutMs: 50 }));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ message: 'The site took too long to respond. Please try again.' });
});

test('a body that stops in the middle ends too', async () => {
  const url = await serve((_incoming, response) => void response.writeHead(200).write('{"name":'));
  expect(await errorOf(request(url, { schema: thing, timeoutMs: 50 }))).toBeInstanceOf(NetworkError);
});

test('a lost connection is a network error with a readable message', async () => {
  const url = await serve((incoming) => void incoming.socket.destroy());
  expect(await errorOf(request(url))).toMatchObject({
    name: 'NetworkError',
    message: 'We couldn’t reach the site. Please check your connection and try again.',
  });
});

test('a success response with an unexpected format is an error', async () => {
  const url = await serve((_incoming, response) => void response.end('<p>Please sign in to this network</p>'));
  expect(await errorOf(request(url, { schema: thing }))).toBeInstanceOf(NetworkError);
});

test('the caller’s signal aborts the request with the caller’s reason', async () => {
  const url = await serve(() => undefined);
  const caller = new AbortController();
  const running = errorOf(request(url, { signal: caller.signal }));
  caller.abort(new Error('left'));
  expect(await running).toMatchObject({ message: 'left' });
});
