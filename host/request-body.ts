import type { IncomingMessage } from 'node:http';

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

/** The body is larger than {@link bodyLimit} allows; what is left of it has not been read. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The process holds as many bodies as it can bear. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

// Many slow uploads at once must not take all of the machine's memory.
const bufferedBytesLimit = 256 * 1024 * 1024;
let bufferedBytes = 0;

/**
 * Receives a whole body before a function is called, as Netlify does: a function never waits for a slow client.
 * @throws {BodyTooLarge} above the limit. The rest must then be drained: see {@link drain}.
 * @throws {ClientGone} where the connection ended first.
 * @throws {TooBusy} where other requests hold too much already.
 */
export async function receiveBody(request: IncomingMessage): Promise<Buffer> {
  const limit = bodyLimit(request.headers['content-type']);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
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
        if (length + chunk.length > limit) finish(new BodyTooLarge());
        else if (bufferedBytes + chunk.length > bufferedBytesLimit) finish(new TooBusy());
        else {
          length += chunk.length;
          bufferedBytes += chunk.length;
          chunks.push(chunk);
        }
      };
      request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
      if (request.destroyed && !request.complete) onClose();
    });
  } finally {
    bufferedBytes -= length;
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

const drainBytes = 64 * 1024 * 1024;
const drainMs = 20_000;
const lingerMs = 2_000;

/**
 * Reads on and throws away what a refused client is still sending, so that it can read the answer: a socket closed
 * with unread bytes is reset, and the reset overtakes the answer. Bounded in size and time; whoever is still sending
 * then gets a half-closed connection first.
 * Call it before the answer is sent.
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
