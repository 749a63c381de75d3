import { Refusal } from '../refusal.ts';

/**
 * The default limit of a body, in bytes. URL encoding takes 9 bytes for a Chinese character, so a contact message of
 * 10,000 Chinese characters fits.
 */
export const defaultBodyLimit = 128 * 1024;

/** The most fields of a form, and the most values in a JSON body. */
export const mostFields = 100;
const mostValues = 1_000;
/** The most levels of nested objects and lists in a JSON body. */
const deepest = 32;

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
    throw new Refusal('malformed_body', 'Only part of the request reached the server. Please try again.', {
      cause: error,
    });
  }
  // On a self-hosted server the body is a single chunk, which needs no copy. The chunk may be a part of a larger buffer.
  const [first] = chunks;
  if (first?.buffer instanceof ArrayBuffer && first.byteLength === length) {
    return new Uint8Array(first.buffer, first.byteOffset, length);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** A parsed body, and whether it came from a form without scripts. */
export interface ParsedBody {
  readonly value: unknown;
  readonly fromForm: boolean;
}

/**
 * Reads the body of a JSON request or an HTML form, by the request's content type.
 * @throws {Refusal} `unsupported_media_type` for any other type, `malformed_body` for invalid UTF-8 and for JSON that
 * is invalid or too complex, `invalid_input` for JSON that is not an object.
 */
export async function readBody(request: Request, limit = defaultBodyLimit): Promise<ParsedBody> {
  const type = mediaTypeOf(request);
  if (type === 'application/json') {
    return { value: parseObject(decode(await readBytes(request, limit))), fromForm: false };
  }
  if (type === 'application/x-www-form-urlencoded') {
    const text = decode(await readBytes(request, limit));
    if (exceeds(text, '&', mostFields)) throw tooManyFields();
    const fields = new URLSearchParams(text);
    return { value: Object.fromEntries(fields), fromForm: true };
  }
  throw new Refusal('unsupported_media_type', 'Send JSON (Content-Type: application/json) or a form.');
}

export const tooManyFields = () =>
  new Refusal('malformed_body', `The form has too many fields. The limit is ${mostFields}.`);

/** Returns whether a text contains a character more than `most` times, without counting further than that. */
function exceeds(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/**
 * Returns whether JSON has too many values to parse in one turn of the event loop: the parser takes 0.1 s for 100,000
 * values. Makes one pass over the text and skips strings. Invalid JSON is left to the parser.
 */
function isTooComplex(text: string): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      values += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    } else if (character === ',') {
      values += 1;
    }
    if (values > mostValues || depth > deepest) return true;
  }
  return false;
}

function parseObject(text: string): object {
  if (isTooComplex(text)) {
    throw new Refusal(
      'malformed_body',
      `The JSON is too complex. The limit is ${mostValues.toLocaleString('en-US')} values and ${deepest} levels.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal('malformed_body', 'The request is not valid JSON.', { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Refusal('invalid_input', 'The request is not a JSON object. Send an object with a value for each field.');
}

/** Returns the content type without its parameters, in lowercase; empty if the request has none. */
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
