import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../netlify/server/runtime/refusal.ts';
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

/** Returns the maximum size of a body of this content type on Netlify, in bytes. */
export function bodyLimit(contentType: string | undefined): number {
  return contentType !== undefined && textual.test(contentType) ? eventBytes : binaryBytes;
}

/** The body exceeds the function's limit or {@link bodyLimit}. The rest of the body has not been read. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/**
 * The error when a limit on request bodies or responses is reached. Created only once, because it may be thrown
 * thousands of times per second.
 */
export const tooBusy = new Refusal('unavailable', 'The server is busy. Please try again in a moment.', {
  headers: { 'retry-after': '5' },
});

/** The client sends its body too slowly, or has stopped sending. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

/** The client disconnected before its request was complete, so no response can be sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export interface BodyLimits {
  /** Maximum bytes of all bodies in memory. */
  readonly total: number;
  readonly perVisitor: number;
  /** Milliseconds in which a client must send at least {@link leastBytes}. */
  readonly stallMs: number;
}

const mebibyte = 1024 * 1024;
export const bodyLimits: BodyLimits = { total: 32 * mebibyte, perVisitor: 8 * mebibyte, stallMs: 10_000 };

/**
 * Minimum bytes that a client must send within `stallMs`. If `stallMs` is 10 s, the minimum is about 200 bytes per
 * second. A phone on the slowest connection sends more.
 */
const leastBytes = 2 * 1024;
/** Bodies arrive in pieces of any size. Copying the pieces into blocks avoids the memory overhead of tiny pieces. */
const firstBlockBytes = 4 * 1024;
const blockBytes = 64 * 1024;
/**
 * A body with a Content-Length of at most this many bytes counts as a form. All other bodies together may fill only
 * three quarters of `total`, so forms are still accepted during many uploads.
 */
const formBytes = 256 * 1024;

/**
 * Receives the whole body of a request before a function is called, as Netlify does, so a function never waits for a slow
 * client. The body counts toward the limits until `done` is called.
 * @param visitor the network of the visitor. Requests from one network share the limits of one visitor.
 * @param limit maximum bytes that the function accepts; {@link bodyLimit} applies as well.
 * @throws {BodyTooLarge} above the limit. The caller must then drain the rest: see {@link drain}.
 * @throws {BodyStalled} if the client sends too slowly.
 * @throws {ClientGone} if the connection ended first.
 * @throws {Refusal} `unavailable` if the bodies of other requests have reached the limits.
 */
export type ReceiveBody = (
  request: IncomingMessage,
  visitor: string,
  limit: number,
) => Promise<{ readonly bytes: Buffer; readonly done: () => void }>;

/** Holds request bodies in a limited amount of memory, so many slow uploads cannot use up the machine's memory. */
export function bodyReceiver({ total, perVisitor, stallMs }: BodyLimits): ReceiveBody {
  let held = 0;
  const byVisitor = tally();
  const hold = (visitor: string, bytes: number): void => {
    held += bytes;
    byVisitor.add(visitor, bytes);
  };

  return async (request, visitor, limit) => {
    const declared = request.headers['content-length'];
    const most = Math.min(limit, bodyLimit(request.headers['content-type']));
    const share = declared !== undefined && Number(declared) <= formBytes ? total : (total / 4) * 3;
    const blocks: Buffer<ArrayBuffer>[] = [];
    let room = Buffer.alloc(0);
    let length = 0;
    let lengthBefore = 0;
    let own = 0;
    const done = (): void => {
      hold(visitor, -own);
      own = 0;
    };
    const add = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > most) throw new BodyTooLarge();
      const fitting = chunk.copy(room);
      room = room.subarray(fitting);
      const rest = chunk.subarray(fitting);
      if (rest.length === 0) return;
      const size = Math.max(blocks.length === 0 ? firstBlockBytes : blockBytes, rest.length);
      if (byVisitor.of(visitor) + size > perVisitor || held + size > share) throw tooBusy;
      hold(visitor, size);
      own += size;
      // Filled with zeros, because memory that was just freed can contain other visitors' data.
      const block = Buffer.alloc(size);
      blocks.push(block);
      room = block.subarray(rest.copy(block));
    };

    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onData = (chunk: Buffer): void => {
      try {
        add(chunk);
      } catch (error) {
        request.off('data', onData);
        reject(error);
      }
    };
    const onClose = (): void => (request.complete ? resolve() : reject(new ClientGone()));
    request.on('data', onData).once('end', onClose).once('close', onClose).once('error', onClose);
    if (request.destroyed) onClose();
    const timer = setInterval(() => {
      if (length - lengthBefore < leastBytes) reject(new BodyStalled());
      lengthBefore = length;
    }, stallMs).unref();
    try {
      await promise;
    } catch (error) {
      done();
      throw error;
    } finally {
      clearInterval(timer);
      request.off('data', onData);
    }
    const [first, ...others] = blocks;
    if (first && others.length === 0) return { bytes: first.subarray(0, length), done };
    const bytes = Buffer.concat(blocks, length);
    // Frees the blocks immediately. The garbage collector could free these megabytes much later.
    for (const { buffer } of blocks) buffer.transfer(0);
    return { bytes, done };
  };
}

const drainMs = 20_000;
const lingerMs = 2_000;

/**
 * Reads and drops the rest of a refused client's body for at most 20 s, and then half-closes the connection. If the
 * server closed the socket instead, the client would get a reset before it could read the response. Call this before
 * the response is sent.
 */
export function drain(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    request.pause();
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }, drainMs).unref();
  request.once('close', () => clearTimeout(timer)).resume();
}
