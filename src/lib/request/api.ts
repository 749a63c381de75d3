import * as z from 'zod/mini';
import { bearerStorageKey } from '../../domain/account/session.ts';
import { attempt } from './attempt.ts';

/** Default time limit for a request, including its response body. */
export const requestTimeoutMs = 30_000;

/** Maximum length of an error text for people, in characters. Longer texts come from proxies or are stack traces. */
const longestReason = 300;

/** A field of an error response; undefined if its value is no `type`. */
const maybe = <T>(type: z.ZodMiniType<T>) => z.catch(z.optional(type), undefined);

/** The API sends `errorBody` (src/domain/errors.ts), but a proxy in front of the API may send anything. */
const errorAnswer = z.catch(
  z.object({
    message: maybe(z.string()),
    code: maybe(z.string()),
    requestId: maybe(z.string()),
    errors: maybe(z.record(z.string(), z.string())),
    current: z.optional(z.unknown()),
  }),
  {},
);

/**
 * An error response from the API, or from a proxy in front of it. `message` is `{status}: {text}`, where the text is
 * the JSON body's `message`, else the body, else the status text (docs/product.md#errors).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /**
   * The text of `message` without the status; undefined if the text is not for people, such as a proxy's error page.
   */
  readonly reason: string | undefined;
  /** One of the error codes in src/domain/errors.ts, if the response came from the API itself. */
  readonly code: string | undefined;
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** One message for each invalid field, by field name. */
  readonly errors: Readonly<Record<string, string>> | undefined;
  /** The record on the server, if a save was refused because another person changed the record. Not validated yet. */
  readonly current: unknown;
  /** Seconds to wait before a retry, from the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: string) {
    const { message, code, requestId, errors, current } = z.parse(errorAnswer, jsonOf(body));
    const text = message || body.trim() || response.statusText || 'The request failed.';
    super(`${response.status}: ${text}`);
    this.status = response.status;
    this.reason = text.length > longestReason || /<\w/.test(text) ? undefined : text;
    this.code = code;
    this.requestId = requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.errors = errors;
    this.current = current;
    this.retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  }
}

/**
 * Thrown if there is no usable response: the network failed, the time limit passed, or the response was not from the
 * API. `message` is written for people.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

export const tookTooLong = (cause?: unknown) =>
  new NetworkError('The site took too long to respond. Please try again.', { cause });
export const notReached = (cause?: unknown) =>
  new NetworkError('We couldn’t reach the site. Please check your connection and try again.', { cause });

interface RequestOptions<T> {
  /** GET without a body and POST with a body by default. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON, unless undefined. */
  body?: unknown;
  /** Schema of the response body. Without `schema` and `read`, the body of a successful response is not read. */
  schema?: z.core.$ZodType<T>;
  /** Reads a successful response that is not JSON. */
  read?: (response: Response) => Promise<T>;
  headers?: Readonly<Record<string, string>>;
  /** Cancels the request, which then throws the signal's `reason`. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** The response to a request that was already sent. With this option, no new request is sent. */
  answer?: Promise<Response>;
}

/**
 * Sends a request with a JSON body and returns the JSON response, without retries (docs/product.md#api). Sends
 * `Authorization: Bearer` if a token is in local storage. Cookies are sent only to this site.
 * @returns the response body parsed by the schema, or undefined without a schema.
 * @throws {ApiError} for every error response.
 * @throws {NetworkError} if no response arrives in time, or the response body does not match the schema.
 */
export async function request<T>(path: string, options: RequestOptions<T> & { schema: z.core.$ZodType<T> }): Promise<T>;
export async function request<T>(
  path: string,
  options: RequestOptions<T> & { read: (response: Response) => Promise<T> },
): Promise<T>;
export async function request(path: string, options?: RequestOptions<undefined>): Promise<undefined>;
export async function request<T>(path: string, options: RequestOptions<T> = {}): Promise<T | undefined> {
  const { body, schema, signal, timeoutMs = requestTimeoutMs } = options;
  const headers = new Headers({ accept: 'application/json', ...options.headers });
  const token = bearerToken();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const init: RequestInit = { headers, credentials: 'same-origin' };
  init.method = options.method ?? (body === undefined ? 'GET' : 'POST');
  if (body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  const timeLimit = AbortSignal.timeout(timeoutMs);
  init.signal = signal ? AbortSignal.any([signal, timeLimit]) : timeLimit;

  let response: Response;
  let text = '';
  try {
    response = await (options.answer ?? fetch(path, init));
    if (options.read && response.ok) return await options.read(response);
    if (schema || !response.ok) text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw timeLimit.aborted ? tookTooLong(error) : notReached(error);
  }
  if (!response.ok) throw new ApiError(response, text);
  return schema ? answerOf(text, schema) : undefined;
}

/**
 * Parses the body of a successful response.
 * @throws {NetworkError} if the body does not match the schema. Such a response comes from a proxy, a Wi-Fi sign-in
 *   page, or another version of the server.
 */
export function answerOf<T>(body: string, schema: z.core.$ZodType<T>): T {
  const answer = z.safeParse(schema, jsonOf(body));
  if (answer.success) return answer.data;
  throw new NetworkError('The site sent an unexpected response. Please try again.', { cause: answer.error });
}

const jsonOf = (text: string): unknown => attempt(() => JSON.parse(text) as unknown);

/** Returns the token in local storage; null if there is none or the browser blocks storage. */
export function bearerToken(): string | null {
  return attempt(() => localStorage.getItem(bearerStorageKey)) ?? null;
}

/** Returns the seconds to wait. `Retry-After` is a number of seconds or a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
