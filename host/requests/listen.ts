import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import type { ServerRequest } from 'srvx';
import { Refusal, unexpected } from '../../netlify/server/runtime/refusal.ts';
import { networkOf } from '../../netlify/server/http/network.ts';
import { refusalResponse, withOwnHeaders } from '../../netlify/server/http/respond.ts';
import { logError } from '../../netlify/server/runtime/log.ts';
import { originOf, proxyWarning, trustedProxies } from './addresses.ts';
import {
  type BodyLimits,
  bodyLimit,
  bodyLimits,
  bodyReceiver,
  BodyTooLarge,
  ClientGone,
  drain,
  tooBusy,
} from './bodies.ts';
import { answerBrokenRequest, brokenBy, BrokenRequest, complaint, newRequestId } from './broken-requests.ts';
import { guard, type GuardLimits, guardLimits } from './guard.ts';

/** A request that the host is answering. */
export interface Exchange {
  readonly request: ServerRequest;
  /** The value of the header `X-Request-Id`, which is also in the log. */
  readonly requestId: string;
  /** The visitor's IP address. */
  readonly address: string;
  /**
   * Waits for the whole body, which `request` then returns from memory. Leaves a body unread if its Content-Length
   * exceeds the limit; the function then refuses the request.
   * @param limit maximum bytes that the function accepts.
   * @throws the errors of `ReceiveBody`.
   */
  receiveBody(limit: number): Promise<void>;
}

export interface HttpOptions {
  readonly hostname: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly answer: (exchange: Exchange) => Response | Promise<Response>;
  /**
   * `TRUSTED_PROXIES`: for connections from these proxies, `X-Forwarded-*` supplies the visitor's IP address and
   * protocol.
   */
  readonly trustedProxies: readonly string[];
  /** True to log a warning about the first request that an untrusted proxy forwards. */
  readonly warnOfProxies: boolean;
  /** Only tests set limits. */
  readonly limits?: Partial<HttpLimits>;
}

interface HttpLimits extends GuardLimits {
  /** Milliseconds until a client must have sent its headers. */
  readonly headersMs: number;
  /** Milliseconds until a client must have sent its whole request. */
  readonly requestMs: number;
  /** Milliseconds until a client is disconnected that sends nothing, and reads nothing of its response. */
  readonly idleMs: number;
  readonly bodies: BodyLimits;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Stops accepting connections. Waits for running requests for at most `graceMs` milliseconds, then disconnects them.
   */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Maximum number of headers in a request. Browsers and proxies send far fewer. */
const mostHeaders = 100;

/** Starts a node:http server that answers requests with web `Response`s. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const limits: HttpLimits = {
    ...guardLimits(),
    headersMs: 15_000,
    // Enough time for a phone that uploads 6 MB at 20 KB per second. A stalled client is disconnected much sooner.
    requestMs: 300_000,
    // The kernel accepts up to 4 MB of a response before Node notices that a client does not read. A slow phone may take
    // a minute for a part of that.
    idleMs: 120_000,
    bodies: bodyLimits,
    ...options.limits,
  };
  const isTrusted = trustedProxies(options.trustedProxies);
  const warn = options.warnOfProxies ? proxyWarning(isTrusted) : undefined;
  const receiveBody = bodyReceiver(limits.bodies);
  let stopping = false;

  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(limits.headersMs / 4)),
    // Longer than the usual idle timeout of a reverse proxy. If the server closed first, the proxy could lose a
    // request.
    keepAliveTimeout: 65_000,
    // `handle` refuses a request without a `Host` header, because Node would answer outside of all limits.
    requireHostHeader: false,
  });
  server.maxRequestsPerSocket = 10_000;
  server.timeout = limits.idleMs;
  // After an ordinary close, the kernel would keep the data that waits for the client.
  server.on('timeout', (socket: Socket) => socket.resetAndDestroy());
  // Node silently drops headers beyond `maxHeadersCount`, possibly a header of the proxy. Node keeps one header more
  // than `mostHeaders`, so the server can detect and refuse a request with too many headers.
  server.maxHeadersCount = mostHeaders + 1;
  const guarded = guard(server, limits, isTrusted);

  /**
   * @param askForBody sends `100 Continue`. Set only if the client waits for this response before it sends its body.
   */
  const handle = async (req: IncomingMessage, res: ServerResponse, askForBody?: () => void): Promise<void> => {
    // Several requests can arrive together. If one of them closed the connection, ignores the requests after it.
    if (req.socket.destroyed) return;
    warn?.(req);
    const { address, throughProxy } = originOf(req, isTrusted);
    const visitor = networkOf(address);
    const requestId = newRequestId();
    res.setHeader('X-Request-Id', requestId);
    if (stopping) res.setHeader('Connection', 'close');
    const request = new NodeRequest({ req, res, trustProxy: throughProxy });
    // `askForBody` is set if the client waits for `100 Continue` before it sends the body. If the response is sent
    // without asking for the body, the client's next bytes may be the body or another request, and the server cannot
    // tell which. The connection then ends after the response, unless `receive` reads the body and clears this flag.
    let endsConnection = askForBody !== undefined;
    const receive = async (limit: number): Promise<void> => {
      const stated = Number(req.headers['content-length'] ?? 0);
      if (stated > limit) return;
      if (stated > bodyLimit(req.headers['content-type'])) throw new BodyTooLarge();
      askForBody?.();
      endsConnection = false;
      const { bytes, done } = await receiveBody(req, visitor, limit);
      res.once('close', done);
      Object.assign(req, { rawBody: bytes });
    };
    const admitted = guarded.admit(res, req.socket, visitor);
    if (req.socket.destroyed) return;
    let response: Response;
    try {
      if (!admitted) throw tooBusy;
      if (req.headers.host === undefined && req.httpVersion === '1.1') throw new BrokenRequest('HPE_INVALID_HEADER');
      if (!isTarget(req.url)) throw new BrokenRequest('HPE_INVALID_URL');
      if (req.rawHeaders.length > mostHeaders * 2) throw new BrokenRequest('HPE_HEADER_OVERFLOW');
      response = await options.answer({ request, requestId, address, receiveBody: receive });
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
      await sendNodeResponse(res, response);
    } catch (error) {
      logError('response could not be sent', { requestId, path: pathOf(request) }, error);
      if (!res.headersSent) res.writeHead(500).end();
      else res.destroy();
    }
  };

  // Without a listener for `checkExpectation`, Node would answer 417 to an unknown `Expect` outside of all limits.
  for (const event of ['request', 'checkExpectation']) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => void handle(req, res));
  }
  // A client that sends `Expect: 100-continue` is refused before it uploads a body that is too large.
  server.on('checkContinue', (req, res) => void handle(req, res, () => res.writeContinue()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answered = [...guarded.running.keys()].some((res) => res.socket === socket && res.headersSent);
    answerBrokenRequest(error.code, socket, answered);
  });

  await listen(server, options.port, options.hostname);
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      stopping = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const res of guarded.running.keys()) if (!res.headersSent) res.setHeader('Connection', 'close');
      const deadline = performance.now() + graceMs;
      while (guarded.running.size > 0 && performance.now() < deadline) await sleep(20);
      server.closeAllConnections();
      await closed;
    },
  };
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

function refusalOf(error: unknown, request: ServerRequest, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BodyTooLarge) {
    return new Refusal(
      'too_large',
      'The request is too large. One request can be at most 6 MB, with at most 4.5 MB of files.',
    );
  }
  logError('request failed', { requestId, method: request.method, path: pathOf(request) }, error);
  return unexpected();
}

function pathOf(request: ServerRequest): string {
  return (request._url ?? new URL(request.url)).pathname;
}
