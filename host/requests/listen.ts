import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import type { ServerRequest } from 'srvx';
import { Refusal, unexpected } from '../../netlify/server/refusal.ts';
import { networkOf } from '../../netlify/server/http/network.ts';
import { functionPolicy, refusalResponse, withOwnHeaders } from '../../netlify/server/http/respond.ts';
import { logError } from '../../netlify/server/log.ts';
import { securityHeaders } from '../../src/domain/site/security-headers.ts';
import { originOf, trustedProxies } from './addresses.ts';
import { clientGone, guard, guardLimits } from './guard.ts';

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
   * @throws the errors of `receiveBody` in guard.ts.
   */
  receiveBody(limit: number): Promise<void>;
}

export interface HttpOptions {
  readonly hostname: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The number of a socket that listens already, in place of `hostname` and `port`. */
  readonly socket: number | undefined;
  readonly answer: (exchange: Exchange) => Response | Promise<Response>;
  /**
   * `TRUSTED_PROXIES`: for connections from these proxies, `X-Forwarded-*` supplies the visitor's IP address and
   * protocol.
   */
  readonly trustedProxies: readonly string[];
  /** Only tests set limits. */
  readonly limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  ...guardLimits,
  connections: 4_000,
  /** Milliseconds until a client must have sent its headers. */
  headersMs: 15_000,
  /**
   * Milliseconds until a client must have sent its whole request. Enough time for a phone that uploads 6 MB at 20 KB per
   * second.
   */
  requestMs: 300_000,
  /**
   * Milliseconds until a client is disconnected that sends nothing, such as the rest of a body, and reads nothing. The
   * kernel accepts up to 4 MB of a response before Node notices that a client does not read. A slow phone may take a minute
   * for a part of that.
   */
  idleMs: 120_000,
};

export interface HttpServer {
  readonly port: number;
  /**
   * Stops accepting connections. Waits for running requests for at most `graceMs` milliseconds, then disconnects them.
   */
  readonly close: (graceMs: number) => Promise<void>;
}

/**
 * Milliseconds in which a client that uses its connection sends its next request. If the socket stays open, a stop waits for
 * these requests. Otherwise, it refuses new connections anyway.
 */
const settleMs = 2_000;

/** The headers of every answer, unless its response has other values. */
const ownHeaders = Object.entries({ ...securityHeaders, 'Content-Security-Policy': functionPolicy }).map(
  ([name, value]) => [name.toLowerCase(), value] as const,
);

/** An answer with the headers of every answer and the id of its request. */
class OwnResponse extends ServerResponse {
  // Short, because people read it aloud on the phone.
  readonly requestId = randomUUID().slice(-12);

  /**
   * Sends the headers as one list. After a call of `setHeader`, Node would store each header on its own, and the host
   * would answer a fifth fewer requests.
   * @param given last, a flat list of lowercase names, each followed by its value.
   */
  override writeHead(status: number, ...given: unknown[]): this {
    const list = [given.at(-1) ?? []].flat() as string[];
    const has = (name: string) => list.some((entry, at) => entry === name && at % 2 === 0);
    const own = [...ownHeaders, ['x-request-id', this.requestId] as const];
    return super.writeHead(status, [...list, ...own.filter(([name]) => !has(name)).flat()]);
  }
}

/** Starts a node:http server that answers requests with web `Response`s. Every answer has the security headers. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...defaultLimits, ...options.limits };
  const isTrusted = trustedProxies(options.trustedProxies);
  const guarded = guard(limits);
  let stopping = false;

  const server = createServer({
    ServerResponse: OwnResponse,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(limits.headersMs / 4)),
    // Longer than the usual idle timeout of a reverse proxy. If the server closed first, the proxy could lose a
    // request.
    keepAliveTimeout: 65_000,
    // `hasOneHost` refuses a request without a host.
    requireHostHeader: false,
  });
  server.timeout = limits.idleMs;
  // With a limit on the number of headers, Node would silently drop those beyond it, possibly a header of the proxy.
  // Node still limits the bytes of all headers.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connections;

  const handle = async (req: IncomingMessage, res: OwnResponse): Promise<void> => {
    if (!hasOneHost(req)) return void res.writeHead(400, ['connection', 'close']).end();
    const { address, throughProxy } = originOf(req, isTrusted);
    const visitor = networkOf(address);
    const { requestId } = res;
    const request = new NodeRequest({ req, res, trustProxy: throughProxy });
    try {
      const response = await respond(request, requestId, async () => {
        guarded.admit(res, visitor);
        return await options.answer({
          request,
          requestId,
          address,
          async receiveBody(limit) {
            if (Number(req.headers['content-length'] ?? 0) > limit) return;
            Object.assign(req, { rawBody: await guarded.receiveBody(req, res, visitor, limit) });
          },
        });
      });
      // Drops the rest of a body that nobody reads. The next request on the connection would wait for it.
      if (!req.complete) req.removeAllListeners('data').resume();
      if (stopping) res.shouldKeepAlive = false;
      if (response) await sendNodeResponse(res, response);
    } catch (error) {
      logError('response could not be sent', { requestId, path: pathOf(request) }, error);
      if (!res.headersSent) res.writeHead(500).end();
      else res.destroy();
    }
  };
  /** Connections that have not sent a request yet. */
  const fresh = new Set<Socket>();
  server.on('connection', (socket: Socket) => void fresh.add(socket.once('close', () => fresh.delete(socket))));
  server.on('request', (req, res) => {
    fresh.delete(req.socket);
    void handle(req, res);
  });
  // Node itself would answer an unknown `Expect` header, without any limit.
  server.on('checkExpectation', (req, res) => void handle(req, res));
  server.on('clientError', refuseClient);

  server.listen(options.socket === undefined ? { port: options.port, host: options.hostname } : { fd: options.socket });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      stopping = true;
      const deadline = performance.now() + graceMs;
      const settled = options.socket === undefined ? 0 : settleMs;
      // First, each response ends its connection. `server.close` ends the connections that are idle, and a proxy would
      // lose the request that it sends in that moment.
      await sleep(Math.min(settled, graceMs));
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      const quiet = performance.now() + settled;
      const isExpected = () => fresh.size > 0 && performance.now() < quiet;
      while ((guarded.running() > 0 || isExpected()) && performance.now() < deadline) await sleep(20);
      server.closeAllConnections();
      await closed;
    },
  };
}

const statusOfError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Refuses what is not HTTP or comes too late, like Node, but with the security headers. Then ends the connection. */
function refuseClient({ code = '' }: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse }): void {
  const isAnswering = socket._httpMessage?.headersSent ?? false;
  if (socket.writable && !isAnswering) {
    const headers = [...ownHeaders, ['Connection', 'close']].map((header) => header.join(': '));
    socket.write([`HTTP/1.1 ${statusOfError[code] ?? '400 Bad Request'}`, ...headers, '\r\n'].join('\r\n'));
  }
  socket.destroy();
}

/** Returns whether a request names exactly one host. */
function hasOneHost({ headers: { host = '' }, rawHeaders }: IncomingMessage): boolean {
  const isOnly = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length === 1;
  return isOnly && /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** Returns the answer, or the response to its error; null if the client has disconnected. */
async function respond(
  request: ServerRequest,
  requestId: string,
  answer: () => Promise<Response>,
): Promise<Response | null> {
  try {
    return await answer();
  } catch (error) {
    if (error === clientGone) return null;
    const isExpected = error instanceof Refusal;
    if (!isExpected) logError('request failed', { requestId, method: request.method, path: pathOf(request) }, error);
    return withOwnHeaders(refusalResponse(isExpected ? error : unexpected(), request, requestId), requestId);
  }
}

function pathOf(request: ServerRequest): string {
  return (request._url ?? new URL(request.url)).pathname;
}
