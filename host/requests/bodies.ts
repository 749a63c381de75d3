import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../netlify/server/refusal.ts';
import { tally } from './guard.ts';

/**
 * The largest event of a Netlify function is 6 MB. The event contains the request body. A binary body is encoded as
 * base64, with four characters for three bytes. Headers and the URL count too, but node:http limits them to a
 * negligible size.
 */
const eventBytes = 6 * 1024 * 1024;
const binaryBytes = Math.floor(eventBytes / 4) * 3;

const textual =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded)\b|application\/[\w.-]+\+(json|xml)\b)/i;

// This error may be thrown thousands of times per second, so it is created only once.
const tooLarge = new Refusal(
  'too_large',
  'The data you sent is too large. One request can contain a file of at most 4 MB.',
);
/** The error when a limit on running requests or their bodies is reached. */
export const tooBusy = new Refusal('unavailable', 'The server is busy. Please try again in a moment.', {
  headers: { 'retry-after': '5' },
});
/** The error when the client disconnects before its request is complete, so no response can be sent. */
export const clientGone = new Error('The client disconnected.');

export interface BodyLimits {
  /** Maximum bytes of all bodies in memory. */
  readonly total: number;
  readonly perVisitor: number;
}

const mebibyte = 1024 * 1024;
export const bodyLimits: BodyLimits = { total: 32 * mebibyte, perVisitor: 8 * mebibyte };

/** The memory that each piece of a body needs in addition to its bytes. A client can send pieces of one byte. */
const pieceBytes = 256;
/**
 * A body with a Content-Length of at most this many bytes counts as a form. All other bodies together may fill only
 * three quarters of `total`, so forms are still accepted during many uploads.
 */
const formBytes = 256 * 1024;

/**
 * Receives the whole body of a request before a function is called, as Netlify does, so a function never waits for a
 * slow client. The body counts toward the limits until `done` is called.
 * @param visitor the network of the visitor. Requests from one network share the limits of one visitor.
 * @param limit maximum bytes that the function accepts. Netlify's limit applies as well.
 * @throws {Refusal} `too_large` above the limit, or `unavailable` if the bodies of other requests have reached the limits.
 * Node reads and drops the rest of the body.
 * @throws {clientGone} if the connection ended first.
 */
type ReceiveBody = (
  request: IncomingMessage,
  visitor: string,
  limit: number,
) => Promise<{ readonly bytes: Buffer; readonly done: () => void }>;

/** Holds request bodies in a limited amount of memory, so many slow uploads cannot use up the machine's memory. */
export function bodyReceiver({ total, perVisitor }: BodyLimits): ReceiveBody {
  const held = tally();

  return async (request, visitor, limit) => {
    const declared = Number(request.headers['content-length'] ?? Infinity);
    const isText = textual.test(request.headers['content-type'] ?? '');
    const most = Math.min(limit, isText ? eventBytes : binaryBytes);
    if (declared !== Infinity && declared > most) throw tooLarge;
    const share = declared <= formBytes ? total : (total / 4) * 3;
    const pieces: Buffer[] = [];
    let length = 0;
    let own = 0;
    const done = (): void => {
      held.add(visitor, -own);
      own = 0;
    };

    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onData = (piece: Buffer): void => {
      const bytes = piece.length + pieceBytes;
      length += piece.length;
      if (length > most) return reject(tooLarge);
      if (held.of(visitor) + bytes > perVisitor || held.total() + bytes > share) return reject(tooBusy);
      held.add(visitor, bytes);
      own += bytes;
      pieces.push(piece);
    };
    const onClose = (): void => (request.complete ? resolve() : reject(clientGone));
    request.on('data', onData).once('end', onClose).once('close', onClose).once('error', onClose);
    if (request.destroyed) onClose();
    try {
      await promise;
      return { bytes: Buffer.concat(pieces), done };
    } catch (error) {
      done();
      throw error;
    } finally {
      request.off('data', onData).resume();
    }
  };
}
