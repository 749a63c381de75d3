import type { IncomingMessage } from 'node:http';
import { Refusal } from '../netlify/server/http/refusal.ts';

/**
 * What a function's request may hold on Netlify: the event that carries it is at most 6 MB, and a body that is not text
 * travels in it as base64, four characters for three bytes. Headers and addresses count too, but are bounded by
 * node:http far below what would matter.
 */
const eventBytes = 6 * 1024 * 1024;
const binaryBytes = Math.floor(eventBytes / 4) * 3;

const textual =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded)\b|application\/[\w.-]+\+(json|xml)\b)/i;

/** Bytes that a body of this content type may have, as production counts them. */
export function bodyLimit(contentType: string | undefined): number {
  return contentType !== undefined && textual.test(contentType) ? eventBytes : binaryBytes;
}

/** The body is larger than the limits allow; the rest of the body has not been read. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** A limit of what the process, or one visitor, may hold is reached. Made once: thousands may be needed in a second. */
export const tooBusy = new Refusal('unavailable', 'The server is busy. Please try again in a moment.', {
  headers: { 'retry-after': '5' },
});

/** The client sends its body too slowly, or not at all. */
export class BodyStalled extends Error {
  override readonly name = 'BodyStalled';
}

/** The client disconnected before its request was complete, so no answer can be sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export interface BodyLimits {
  /** Bytes that all bodies in memory may have together. */
  readonly total: number;
  /** Bytes that the bodies of one visitor's network may have together. */
  readonly perVisitor: number;
  /** Milliseconds in which a client must send at least {@link leastBytes}. */
  readonly stallMs: number;
}

/** About 200 bytes a second: a phone on the worst connection sends more. */
const leastBytes = 2 * 1024;
/** Bodies arrive in pieces of any size. Copying the pieces into blocks keeps the cost of a tiny piece at its bytes. */
const firstBlockBytes = 4 * 1024;
const blockBytes = 64 * 1024;
/** Forms are smaller. Uploads may fill only three quarters of the memory, so forms still arrive next to them. */
const formBytes = 256 * 1024;

export interface BodyPool {
  /**
   * Receives a whole body before a function is called, as Netlify does: a function never waits for a slow client.
   * The body counts against the limits until the exchange's `done` is called.
   * @param visitor the network that shares one visitor's limit.
   * @param limit bytes that the function takes at most; {@link bodyLimit} applies as well.
   * @throws {BodyTooLarge} above the limit. The rest must then be drained: see {@link drain}.
   * @throws {BodyStalled} if the client sends too slowly.
   * @throws {ClientGone} if the connection ended first.
   * @throws {Refusal} `unavailable` if other requests hold too much already.
   */
  receive(request: IncomingMessage, visitor: string, limit: number): Promise<ReceivedBody>;
}

interface ReceivedBody {
  readonly bytes: Buffer;
  /** Gives the body's share of the memory back. */
  readonly done: () => void;
}

/** Holds request bodies in bounded memory: many slow uploads at once must not take all of the machine's memory. */
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
            const block = Buffer.allocUnsafeSlow(size);
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
      // Frees the blocks now. Garbage of many megabytes would wait for its collection.
      for (const { buffer } of blocks) buffer.transfer(0);
      return { bytes, done };
    },
  };
}

const drainBytes = 64 * 1024 * 1024;
const drainMs = 20_000;
const lingerMs = 2_000;

/**
 * Reads and drops what a refused client still sends. Without this, closing the socket resets it, and the client never sees
 * the answer. Bounded in size and time; a client that still sends then gets a half-closed connection.
 * Call this before the answer is sent.
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
