import { Refusal } from './refusal.ts';

/** What a request may bring when its route does not say otherwise, in bytes. */
export const defaultBodyLimit = 256 * 1024;

/**
 * Reads a whole body up to a limit.
 * @throws {Refusal} `too_large` above the limit, `malformed_body` where the connection broke off.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new Refusal(
      'too_large',
      `The request is too large: at most ${Math.floor(limit / 1024).toLocaleString('en-US')} KB fit here.`,
    );
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > limit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('malformed_body', 'The request broke off before it was complete.', { cause: error });
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** A body as an object, and whether it came as a form's own encoding. */
export interface ParsedBody {
  readonly value: unknown;
  readonly fromForm: boolean;
}

/**
 * Reads a JSON body or a native form's body, by the request's content type.
 * @throws {Refusal} `unsupported_media_type` for any other type, `malformed_body` for a body that is not what it says,
 * `invalid_input` for JSON that is no object.
 */
export async function readBody(request: Request, limit = defaultBodyLimit): Promise<ParsedBody> {
  const type = mediaTypeOf(request);
  if (type === 'application/json') {
    return { value: parseObject(decode(await readBytes(request, limit))), fromForm: false };
  }
  if (type === 'application/x-www-form-urlencoded') {
    const fields = new URLSearchParams(decode(await readBytes(request, limit)));
    return { value: Object.fromEntries(fields), fromForm: true };
  }
  throw new Refusal('unsupported_media_type', 'Send JSON (Content-Type: application/json) or a form.');
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal('malformed_body', 'The request is not valid JSON.', { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Refusal('invalid_input', 'The request is no JSON object: please send one, with a value for each field.');
}

/** The content type without its parameters, in lower case; empty where the request states none. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Refusal('malformed_body', 'The request is not valid UTF-8.', { cause: error });
  }
}
