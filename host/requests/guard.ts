import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../netlify/server/refusal.ts';

/** Limits of the running requests and of their bodies. A visitor is a network (`networkOf`). */
export const guardLimits = {
  /** Maximum number of running requests. A request runs until its response is sent. */
  requests: 512,
  requestsPerVisitor: 128,
  /** Maximum bytes of all request bodies in memory. One visitor may use a quarter of them. */
  bodyBytes: 32 * 1024 * 1024,
};

/**
 * The limit of all requests is twice as high for a visitor with fewer running requests than this number. Otherwise, a
 * few hostile visitors could use up the limit.
 */
const fewRequests = 8;
/**
 * A body with a Content-Length of at most this many bytes counts as a form. All other bodies together may fill only
 * three quarters of the memory, so forms are still accepted during many uploads.
 */
const formBytes = 256 * 1024;
/**
 * The largest event of a Netlify function is 6 MB. The event contains the request body. A binary body is encoded as
 * base64, with four characters for three bytes. Headers and the URL count too, but node:http limits them to a
 * negligible size.
 */
const eventBytes = 6 * 1024 * 1024;
const binaryBytes = (eventBytes / 4) * 3;
const textual =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded)\b|application\/[\w.-]+\+(json|xml)\b)/i;

// These errors may be thrown thousands of times per second, so each is created only once.
const tooLarge = new Refusal(
  'too_large',
  'The data you sent is too large. One request can contain a file of at most 4 MB.',
);
const tooBusy = new Refusal('unavailable', 'The server is busy. Please try again in a moment.', {
  headers: { 'retry-after': '5' },
});
/** The error when the client disconnects before its request is complete, so no response can be sent. */
export const clientGone = new Error('The client disconnected.');

/** Adds up an amount for each visitor until its response is sent. Stores nothing for a visitor whose sum is 0. */
function tally() {
  const sums = new Map<string, number>();
  let total = 0;
  const add = (visitor: string, amount: number): void => {
    total += amount;
    const sum = (sums.get(visitor) ?? 0) + amount;
    if (sum === 0) sums.delete(visitor);
    else sums.set(visitor, sum);
  };
  return {
    of: (visitor: string): number => sums.get(visitor) ?? 0,
    total: (): number => total,
    count(visitor: string, amount: number, response: ServerResponse): void {
      add(visitor, amount);
      response.once('close', () => add(visitor, -amount));
    },
  };
}

/** Limits the running requests and the memory of their bodies, in total and for each visitor. */
export function guard(limits: typeof guardLimits) {
  const requests = tally();
  const bodies = tally();

  return {
    /** Returns the number of admitted requests whose responses are not sent yet. */
    running: requests.total,

    /**
     * Counts a request until its response is sent or its connection is closed.
     * @throws {Refusal} `unavailable` if a limit is reached.
     */
    admit(response: ServerResponse, visitor: string): void {
      const own = requests.of(visitor);
      const most = limits.requests * (own < fewRequests ? 2 : 1);
      if (own >= limits.requestsPerVisitor || requests.total() >= most) throw tooBusy;
      requests.count(visitor, 1, response);
    },

    /**
     * Receives the whole body of a request before a function is called, as Netlify does, so a function never waits for
     * a slow client. The memory of the body counts until the response is sent. Linux provides the memory as the body
     * arrives.
     * @param limit maximum bytes that the function accepts. Netlify's limit applies as well.
     * @throws {Refusal} `too_large` above the limit, or `unavailable` if other bodies fill the memory. Node reads and
     * drops the rest of the body.
     * @throws {clientGone} if the connection ended first.
     */
    async receiveBody(
      request: IncomingMessage,
      response: ServerResponse,
      visitor: string,
      limit: number,
    ): Promise<Buffer> {
      const isText = textual.test(request.headers['content-type'] ?? '');
      const most = Math.min(limit, isText ? eventBytes : binaryBytes);
      const size = Number(request.headers['content-length'] ?? most);
      if (size > most) throw tooLarge;
      const share = limits.bodyBytes * (size <= formBytes ? 1 : 0.75);
      if (bodies.of(visitor) + size > limits.bodyBytes / 4 || bodies.total() + size > share) throw tooBusy;
      bodies.count(visitor, size, response);
      const bytes = Buffer.allocUnsafeSlow(size);
      let length = 0;

      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onData = (piece: Buffer): void => {
        if (length + piece.length > size) return reject(tooLarge);
        length += piece.copy(bytes, length);
      };
      const onClose = (): void => (request.complete ? resolve() : reject(clientGone));
      request.on('data', onData).once('end', onClose).once('close', onClose).once('error', onClose);
      try {
        await promise;
        return bytes.subarray(0, length);
      } finally {
        request.off('data', onData).resume();
      }
    },
  };
}
