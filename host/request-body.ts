import type { IncomingMessage } from 'node:http';
import { Refusal } from '../netlify/server/runtime/refusal.ts';

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
  /** Maximum bytes of the bodies from one visitor's network. */
  readonly perVisitor: number;
  /** Milliseconds in which a client must send at least {@link leastBytes}. */
  readonly stallMs: number;
}

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

export interface BodyPool {
  /**
   * Receives a whole body before a function is called, as Netlify does, so a function never waits for a slow client.
   * The body counts toward the limits until the returned `done` is called.
   * @param visitor the network of the visitor. Requests from one network share the limits of one visitor.
   * @param limit maximum bytes that the function accepts; {@link bodyLimit} applies as well.
   * @throws {BodyTooLarge} above the limit. The caller must then drain the rest: see {@link drain}.
   * @throws {BodyStalled} if the client sends too slowly.
   * @throws {ClientGone} if the connection ended first.
   * @throws {Refusal} `unavailable` if the bodies of other requests have reached the limits.
   */
  receive(request: IncomingMessage, visitor: string, limit: number): Promise<ReceivedBody>;
}

interface ReceivedBody {
  readonly bytes: Buffer;
  /** Releases the memory of the body. */
  readonly done: () => void;
}

/** Holds request bodies in a limited amount of memory, so many slow uploads cannot use up the machine's memory. */
export function bodyPool({ total, perVisitor, stallMs }: BodyLimits): BodyPool {
  let held = 0;
  const heldBy = new Map<string, number>();

  const take = (visitor: string, bytes: number, most: number): boolean => {
    const own = (heldBy.get(visitor) ?? 0) + bytes;
    if (own > perVisitor || held + bytes > most) return false;
    held += bytes;
    heldBy.set(visitor, own);
    return true;
  };
  const give = (visitor: string, bytes: number): void => {
    held -= bytes;
    const own = (heldBy.get(visitor) ?? 0) - bytes;
    if (own > 0) heldBy.set(visitor, own);
    else heldBy.delete(visitor);
  };

  return {
    async receive(request, visitor, limit) {
      const declared = request.headers['content-length'];
      const most = Math.min(limit, bodyLimit(request.headers['content-type']));
      const share = declared !== undefined && Number(declared) <= formBytes ? total : (total / 4) * 3;
      const blocks: Buffer<ArrayBuffer>[] = [];
      let room = Buffer.alloc(0);
      let length = 0;
      let taken = 0;
      let timer: NodeJS.Timeout | undefined;
      const done = (): void => {
        give(visitor, taken);
        taken = 0;
      };
      try {
        await new Promise<void>((resolve, reject) => {
          const finish = (error?: Error): void => {
            request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
            if (error) reject(error);
            else resolve();
          };
          const onEnd = (): void => finish(request.complete ? undefined : new ClientGone());
          const onClose = (): void => finish(new ClientGone());
          const onData = (chunk: Buffer): void => {
            length += chunk.length;
            if (length > most) return finish(new BodyTooLarge());
            const fitting = chunk.copy(room);
            room = room.subarray(fitting);
            const rest = chunk.subarray(fitting);
            if (rest.length === 0) return;
            const size = Math.max(blocks.length === 0 ? firstBlockBytes : blockBytes, rest.length);
            if (!take(visitor, size, share)) return finish(tooBusy);
            taken += size;
            // Filled with zeros, because memory that was just freed can contain other visitors' data.
            const block = Buffer.alloc(size);
            blocks.push(block);
            room = block.subarray(rest.copy(block));
          };
          request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
          if (request.destroyed && !request.complete) onClose();
          let before = 0;
          timer = setInterval(() => {
            if (length - before < leastBytes) finish(new BodyStalled());
            before = length;
          }, stallMs).unref();
        });
      } catch (error) {
        done();
        throw error;
      } finally {
        clearInterval(timer);
      }
      const [first, ...others] = blocks;
      if (first && others.length === 0) return { bytes: first.subarray(0, length), done };
      const bytes = Buffer.concat(blocks, length);
      // Frees the blocks immediately. The garbage collector could free these megabytes much later.
      for (const { buffer } of blocks) buffer.transfer(0);
      return { bytes, done };
    },
  };
}

const drainBytes = 64 * 1024 * 1024;
const drainMs = 20_000;
const lingerMs = 2_000;

/**
 * Reads and drops the rest of a refused client's body. If the server closed the socket instead, the client would get a
 * reset before it could read the response. Stops after 64 MiB or 20 s, and then half-closes the connection. Call this
 * before the response is sent.
 */
export function drain(request: IncomingMessage): void {
  let left = drainBytes;
  const { socket } = request;
  const giveUp = (): void => {
    clearTimeout(timer);
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
  const timer = setTimeout(giveUp, drainMs).unref();
  request.once('close', () => clearTimeout(timer));
  request.once('error', () => clearTimeout(timer));
  request.on('data', (chunk: Buffer) => {
    const before = left;
    left -= chunk.length;
    if (before >= 0 && left < 0) giveUp();
  });
  request.resume();
}
