import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import type { ServerRequest } from 'srvx';
import { type ErrorBody, type ErrorCode, errorStatus } from '../src/domain/errors.ts';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { refusalResponse } from '../netlify/server/http/respond.ts';
import { logError } from '../netlify/server/log.ts';
import { BodyTooLarge, bodyLimit, ClientGone, drain, receiveBody, TooBusy } from './request-body.ts';

/** A request on its way through the host. */
export interface Exchange {
  readonly request: ServerRequest;
  /** Stands in the answer's `X-Request-Id` and in the log. */
  readonly requestId: string;
  /** The visitor's address. */
  readonly address: string;
  /** Waits for the whole body, which `request` then serves from memory. See {@link receiveBody} for what it throws. */
  receiveBody(): Promise<void>;
}

export interface HttpOptions {
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly answer: (exchange: Exchange) => Response | Promise<Response>;
  /**
   * Takes the visitor's address, protocol and host from `X-Forwarded-*` where the connection comes from this machine
   * itself. Of several addresses the last one counts, which the proxy nearest to this process wrote.
   */
  readonly trustLoopbackProxy: boolean;
  /** Milliseconds until a client must have sent its headers, and its whole request. */
  readonly timeouts?: { readonly headers: number; readonly request: number };
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, and waits for running requests at most so many milliseconds before cutting them off. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** A node:http server whose requests are answered with web `Response`s. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { headers: headersTimeout, request: requestTimeout } = options.timeouts ?? { headers: 15_000, request: 60_000 };
  const trustProxy = options.trustLoopbackProxy ? 'loopback' : false;
  const running = new Set<ServerResponse>();
  let onIdle: (() => void) | undefined;
  let stopping = false;

  const server = createServer({
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeout / 4)),
    // Longer than the usual idle time of a reverse proxy, which must be the one to close first.
    keepAliveTimeout: 65_000,
  });

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    running.add(res);
    res.once('close', () => {
      running.delete(res);
      if (running.size === 0) onIdle?.();
    });
    const requestId = newRequestId();
    res.setHeader('X-Request-Id', requestId);
    if (stopping) res.setHeader('Connection', 'close');
    const request = new NodeRequest({ req, res, trustProxy });
    let response: Response;
    try {
      response = await options.answer({
        request,
        requestId,
        address: request.ip ?? '',
        receiveBody: async () => void Object.assign(req, { rawBody: await receiveBody(req) }),
      });
    } catch (error) {
      if (error instanceof ClientGone) return;
      response = refusalResponse(refusalOf(error, request, requestId), request, requestId);
    }
    if (!req.complete && carriesBody(req)) drain(req);
    try {
      await sendNodeResponse(res, response);
    } catch (error) {
      logError('answer could not be sent', { requestId, path: pathOf(request) }, error);
      if (!res.headersSent) res.writeHead(500).end();
      else res.destroy();
    }
  };

  server.on('request', (req, res) => {
    if (req.url?.startsWith('/') || URL.canParse(req.url ?? '')) void handle(req, res);
    else res.writeHead(400, { Connection: 'close' }).end();
  });
  // A client that asks first is refused before it sends a body that is too large.
  server.on('checkContinue', (req, res) => {
    const tooLarge = Number(req.headers['content-length'] ?? 0) > bodyLimit(req.headers['content-type']);
    if (tooLarge) res.setHeader('Connection', 'close');
    else res.writeContinue();
    void handle(req, res);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerBrokenRequest(
      error,
      socket,
      [...running].some((res) => res.socket === socket && res.headersSent),
    );
  });

  await listen(server, options.port, options.hostname);
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      stopping = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
      if (running.size > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceMs);
          onIdle = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function carriesBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Short: somebody may read it out on the telephone, and every page of one flight of packets carries it. */
function newRequestId(): string {
  return randomBytes(9).toString('base64url');
}

function refusalOf(error: unknown, request: ServerRequest, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BodyTooLarge) {
    return new Refusal('too_large', 'The request is too large: one request holds at most 6 MB, or 4.5 MB of files.');
  }
  if (error instanceof TooBusy) {
    return new Refusal('unavailable', 'The server is busy. Please try again in a moment.', {
      headers: { 'retry-after': '5' },
    });
  }
  logError('request failed', { requestId, method: request.method, path: pathOf(request) }, error);
  return new Refusal('internal', 'Something went wrong on our side. Please try again.');
}

function pathOf(request: ServerRequest): string {
  return (request._url ?? new URL(request.url)).pathname;
}

/** Answers what is no HTTP, has too large headers, or was not complete in time. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, answered: boolean): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answered) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const [status, code, message] = complaintOf(error.code);
  const body = JSON.stringify({ message, code, requestId } satisfies ErrorBody);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Half-closed until the client has read the answer, then gone, whatever it still sends.
  (socket as Socket).resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}

function complaintOf(code: string | undefined): [number, ErrorCode, string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'malformed_body', 'The request was not complete in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'too_large', "The request's headers are too large."];
    default:
      return [errorStatus.malformed_body, 'malformed_body', 'The request is not valid HTTP.'];
  }
}
