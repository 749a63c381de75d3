import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';

/**
 * The default limit of a body, in bytes. URL encoding takes 9 bytes for a Chinese character, so a contact message of
 * 10,000 Chinese characters fits.
 */
export const defaultBodyLimit = 128 * 1024;

/** The most fields of a form. */
export const mostFields = 100;

/**
 * Reads a whole body up to a limit.
 * @throws {Refusal} `too_large` above the limit, `malformed_body` if the connection broke.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new Refusal(
      'too_large',
      `The data you sent is too large. The limit is ${Math.floor(limit / 1024).toLocaleString('en-US')} KB.`,
    );
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length > limit) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('malformed_body', 'Only part of the request reached the server. Please try again.', {
      cause: error,
    });
  }
  return await new Blob(chunks).bytes();
}

/** A parsed body, and whether it came from a form without scripts. */
export interface ParsedBody {
  readonly value: unknown;
  readonly fromForm: boolean;
}

/**
 * Reads the body of a JSON request or an HTML form, by the request's content type.
 * @throws {Refusal} `unsupported_media_type` for any other type, `malformed_body` for invalid UTF-8 or JSON,
 * `invalid_input` for JSON that is not an object.
 */
export async function readBody(request: Request, limit = defaultBodyLimit): Promise<ParsedBody> {
  const type = mediaTypeOf(request);
  const fromForm = type === 'application/x-www-form-urlencoded';
  if (!fromForm && type !== 'application/json') {
    throw new Refusal('unsupported_media_type', 'Send JSON (Content-Type: application/json) or a form.');
  }
  const bytes = await readBytes(request, limit);
  const text = parsed('UTF-8', () => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (!fromForm) return { value: parseObject(text), fromForm };
  if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields();
  return { value: Object.fromEntries(new URLSearchParams(text)), fromForm };
}

export const tooManyFields = () =>
  new Refusal('malformed_body', `The form has too many fields. The limit is ${mostFields}.`);

function parseObject(text: string): object {
  const value = parsed('JSON', () => JSON.parse(text) as unknown);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Refusal('invalid_input', 'The request is not a JSON object. Send an object with a value for each field.');
}

function parsed<Value>(what: 'JSON' | 'UTF-8', parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new Refusal('malformed_body', `The request is not valid ${what}.`, { cause: error });
  }
}

/** Returns the content type without its parameters, in lowercase; empty if the request has none. */
export function mediaTypeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * Returns the key by which the server recognizes a repeated request, or null.
 * @throws {Refusal} `invalid_input` for a key that is empty or longer than 255 characters.
 */
export function retryKeyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key !== null && (key.length === 0 || key.length > 255)) {
    throw new Refusal('invalid_input', 'The Idempotency-Key header must have 1 to 255 characters.');
  }
  return key;
}

/** Returns a UUID (version 8, from a hash) of the retry key and the submitted text. */
export function idOf(key: string, input: object): string {
  const text = JSON.stringify([key, Object.entries(input).sort()]);
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
