import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import type { ServerRequest } from 'srvx';
import { type ErrorBody, type ErrorCode, errorStatus } from '../src/domain/errors.ts';
import { fairTurns } from './fair-turns.ts';
import { Refusal } from '../netlify/server/http/refusal.ts';
import { networkOf } from '../netlify/server/http/network.ts';
import { json, refusalResponse, withOwnHeaders } from '../netlify/server/http/respond.ts';
import { logError } from '../netlify/server/log.ts';
import { boundedAnswers } from './answers.ts';
import { boundConnections } from './connections.ts';
import { type HttpLimits, httpLimits } from './http-limits.ts';
import { BodyStalled, BodyTooLarge, bodyLimit, bodyPool, ClientGone, drain, tooBusy } from './request-body.ts';
import { originOf, proxyWarning, trustedProxies } from './trusted-proxies.ts';

/** A request on its way through the host. */
export interface Exchange {
  readonly request: ServerRequest;
  /** Sent as `X-Request-Id` and written to the log. */
  readonly requestId: string;
  /** The visitor's address. */
  readonly address: string;
  /**
   * Waits for the whole body, which `request` then serves from memory. A body whose stated length is above the limit is
   * left unread for the function to refuse.
   * @param limit bytes that the function takes at most.
   * @throws what `BodyPool.receive` throws.
   */
  receiveBody(limit: number): Promise<void>;
}

export interface HttpOptions {
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly answer: (exchange: Exchange) => Response | Promise<Response>;
  /** `TRUSTED_PROXIES`: from their connections, the visitor's address and protocol are taken from `X-Forwarded-*`. */
  readonly trustedProxies: readonly string[];
  /** Logs a proxy that is not trusted. True if the owner has not configured which proxies to trust. */
  readonly warnOfProxies: boolean;
  /** Tests set these; otherwise they follow from the machine. */
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, and waits for running requests at most so many milliseconds before cutting them off. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Far more than browsers and proxies send. */
const mostHeaders = 100;

/** A node:http server whose requests are answered with web `Response`s. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...httpLimits(), ...options.limits };
  const isTrusted = trustedProxies(options.trustedProxies);
  const warn = options.warnOfProxies ? proxyWarning(isTrusted) : undefined;
  const bodies = bodyPool(limits.bodies);
  const answers = boundedAnswers(limits.answers);
  const inTurn = fairTurns();
  let stopping = false;

  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(limits.headersMs / 4)),
    // Longer than the usual idle time of a reverse proxy, which must be the one to close first.
    keepAliveTimeout: 65_000,
  });
  server.maxRequestsPerSocket = 10_000;
  // Node drops headers beyond its limit, and one of those could be the proxy's. One more than allowed shows the excess.
  server.maxHeadersCount = mostHeaders + 1;
  boundConnections(server, limits.connections, isTrusted);

  /** @param askForBody tells a client that waits for `100 Continue` to send its body. */
  const handle = async (req: IncomingMessage, res: ServerResponse, askForBody?: () => void): Promise<void> => {
    warn?.(req);
    const { address, throughProxy } = originOf(req, isTrusted);
    const visitor = networkOf(address);
    const requestId = newRequestId();
    res.setHeader('X-Request-Id', requestId);
    if (stopping) res.setHeader('Connection', 'close');
    const request = new NodeRequest({ req, res, trustProxy: throughProxy });
    // A client that was not asked for its body may send it, or may not.
    let endsConnection = askForBody !== undefined;
    const receive = async (limit: number): Promise<void> => {
      const stated = Number(req.headers['content-length'] ?? 0);
      if (stated > limit) return;
      if (stated > bodyLimit(req.headers['content-type'])) throw new BodyTooLarge();
      askForBody?.();
      endsConnection = false;
      const { bytes, done } = await bodies.receive(req, visitor, limit);
      res.once('close', done);
      Object.assign(req, { rawBody: bytes });
    };
    const admitted = answers.admit(res, req.socket, visitor);
    if (req.socket.destroyed) return;
    let response: Response;
    try {
      // Refusals wait for their turns too: a thousand of them at once take longer than anyone should wait.
      response = await inTurn(visitor, async () => {
        if (!admitted) throw tooBusy;
        if (!isTarget(req.url)) throw new BrokenRequest('HPE_INVALID_URL');
        if (req.rawHeaders.length > mostHeaders * 2) throw new BrokenRequest('HPE_HEADER_OVERFLOW');
        return await options.answer({ request, requestId, address, receiveBody: receive });
      });
    } catch (error) {
      if (error instanceof ClientGone) return;
      const broken = brokenBy(error);
      endsConnection ||= broken !== null;
      response =
        broken === null
          ? withOwnHeaders(refusalResponse(refusalOf(error, request, requestId), request, requestId), requestId)
          : complaint(broken, requestId);
    }
    if (endsConnection) res.setHeader('Connection', 'close');
    else if (!req.complete && carriesBody(req)) drain(req);
    try {
      const sent = sendNodeResponse(res, response);
      answers.trim(visitor);
      await sent;
    } catch (error) {
      logError('answer could not be sent', { requestId, path: pathOf(request) }, error);
      if (!res.headersSent) res.writeHead(500).end();
      else res.destroy();
    }
  };

  server.on('request', (req, res) => void handle(req, res));
  // A client that asks first is refused before it sends a body that is too large.
  server.on('checkContinue', (req, res) => void handle(req, res, () => res.writeContinue()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answered = [...answers.inProgress()].some((res) => res.socket === socket && res.headersSent);
    answerBrokenRequest(error.code, socket, answered);
  });

  await listen(server, options.port, options.hostname);
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      stopping = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const res of answers.inProgress()) if (!res.headersSent) res.setHeader('Connection', 'close');
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        answers.idle(),
        new Promise((resolve) => {
          timer = setTimeout(resolve, graceMs);
        }),
      ]);
      clearTimeout(timer);
      server.closeAllConnections();
      answers.stop();
      await closed;
    },
  };
}

/** A request that is refused as the parser's own errors are; `code` is the parser's. */
class BrokenRequest extends Error {
  override readonly name = 'BrokenRequest';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** @returns the parser's code for a request after which its connection is closed, or null. */
function brokenBy(error: unknown): string | null {
  if (error instanceof BodyStalled) return 'ERR_HTTP_REQUEST_TIMEOUT';
  return error instanceof BrokenRequest ? error.code : null;
}

function isTarget(url: string | undefined): boolean {
  return url !== undefined && (url.startsWith('/') || URL.canParse(url));
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

/** Short, because people read it out on the phone, and each answer carries it in its first packets. */
function newRequestId(): string {
  return randomUUID().slice(-12);
}

function refusalOf(error: unknown, request: ServerRequest, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BodyTooLarge) {
    return new Refusal('too_large', 'The request is too large: one request holds at most 6 MB, or 4.5 MB of files.');
  }
  logError('request failed', { requestId, method: request.method, path: pathOf(request) }, error);
  return new Refusal('internal', 'Something went wrong on our side. Please try again.');
}

function pathOf(request: ServerRequest): string {
  return (request._url ?? new URL(request.url)).pathname;
}

/** Answers what is no HTTP, has too large headers, or was not complete in time. */
function answerBrokenRequest(errorCode: string | undefined, socket: Duplex, answered: boolean): void {
  if (errorCode === 'ECONNRESET' || !socket.writable || answered) {
    socket.destroy();
    return;
  }
  void sendRaw(socket, complaint(errorCode, newRequestId()));
  // The connection stays half-closed while the client reads the answer. What the client still sends is dropped.
  (socket as Socket).resume();
  setTimeout(() => socket.destroy(), 1_000).unref();
}

async function sendRaw(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${headers}` +
      `content-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function complaint(errorCode: string | undefined, requestId: string): Response {
  const [status, code, message] = complaintOf(errorCode);
  return withOwnHeaders(json({ message, code, requestId } satisfies ErrorBody, { status }), requestId);
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
