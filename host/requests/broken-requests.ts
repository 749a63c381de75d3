import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { json, withOwnHeaders } from '../../netlify/server/http/respond.ts';
import { type ErrorBody, type ErrorCode, errorStatus } from '../../src/domain/errors.ts';
import { BodyStalled } from './bodies.ts';

/**
 * The error for a request to which the server responds as if Node's HTTP parser had rejected the request. `code` is an
 * error code of that parser.
 */
export class BrokenRequest extends Error {
  override readonly name = 'BrokenRequest';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Returns an error code of the HTTP parser if the connection must be closed after the error; otherwise null. */
export function brokenBy(error: unknown): string | null {
  if (error instanceof BodyStalled) return 'ERR_HTTP_REQUEST_TIMEOUT';
  return error instanceof BrokenRequest ? error.code : null;
}

/** Returns a random id. The id is short because people read it aloud on the phone. */
export function newRequestId(): string {
  return randomUUID().slice(-12);
}

/** Responds to a request that is not HTTP, has headers that are too large, or took too long. */
export function answerBrokenRequest(errorCode: string | undefined, socket: Duplex, answered: boolean): void {
  if (errorCode === 'ECONNRESET' || !socket.writable || answered) {
    socket.destroy();
    return;
  }
  void sendRaw(socket, complaint(errorCode, newRequestId()));
  // The connection stays half open while the client reads the response. Further data of the client is dropped.
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

export function complaint(errorCode: string | undefined, requestId: string): Response {
  const [status, code, message] = complaintOf(errorCode);
  return withOwnHeaders(json({ message, code, requestId } satisfies ErrorBody, { status }), requestId);
}

function complaintOf(code: string | undefined): [number, ErrorCode, string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'malformed_body', 'The request took too long to arrive. Please try again.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'too_large', 'The headers of the request are too large.'];
    default:
      return [errorStatus.malformed_body, 'malformed_body', 'The request is not valid HTTP.'];
  }
}
