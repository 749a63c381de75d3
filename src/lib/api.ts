import * as z from 'zod/mini';
import { bearerStorageKey } from '../domain/session.ts';

/** How long a request may take, its answer's body included, unless the caller says otherwise. */
const requestTimeoutMs = 30_000;

/** A longer text is not meant for a person. */
const longestReason = 300;

/**
 * The API, or something in front of it, refused. `message` is `{status}: {text}`, where the text is the JSON body's
 * `message`, else the body, else the status text (spec §8, decisions 'Limits and errors').
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The text of `message` without the status; undefined where it is a proxy's page or dump and not for people. */
  readonly reason: string | undefined;
  /** One of the domain's error codes, where the API itself answered. */
  readonly code: string | undefined;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  /** One message a field, keyed by the field's name. */
  readonly errors: Readonly<Record<string, string>> | undefined;
  /** The version on the server, if another person's later change refused a save; of the noun's schema. */
  readonly current: unknown;
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: string) {
    // `errorBody` of the domain is the API's promise; a proxy in front of it makes none, so each part is looked at.
    const { errors, current, ...known } = objectOf(jsonOf(body));
    const texts = textsOf(known);
    const text = texts['message'] || body.trim() || response.statusText || 'The request failed.';
    super(`${response.status}: ${text}`);
    this.status = response.status;
    this.reason = text.length > longestReason || /<\w/.test(text) ? undefined : text;
    this.code = texts['code'];
    this.requestId = texts['requestId'] ?? response.headers.get('x-request-id') ?? undefined;
    this.errors = errors === undefined ? undefined : textsOf(objectOf(errors));
    this.current = current;
    this.retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  }
}

/** No usable answer came: no network, no answer in time, or one that is not the API's. The message is for people. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

export const tookTooLong = (cause?: unknown) =>
  new NetworkError('The site took too long to answer. Please try again.', { cause });
export const notReached = (cause?: unknown) =>
  new NetworkError('The site could not be reached. Please check your connection and try again.', { cause });

interface RequestOptions<T> {
  /** GET without a body, POST with one, unless given. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; `undefined` sends none. */
  body?: unknown;
  /** What the answer must be. Without one the answer's body is not read. */
  schema?: z.core.$ZodType<T>;
  headers?: Readonly<Record<string, string>>;
  /** Ends the request early; the caller's own reason is then thrown. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/**
 * The shared request helper: JSON in, JSON out, one try (spec §7, §9: no retries).
 * Sends `Authorization: Bearer` when a token is in local storage (spec §3); cookies go to this site only.
 * @returns the answer as the schema reads it, or nothing where no schema is given.
 * @throws {ApiError} for every answer that is not a success.
 * @throws {NetworkError} when there is no answer, none in time, or one that the schema does not know.
 */
export async function request<T>(path: string, options: RequestOptions<T> & { schema: z.core.$ZodType<T> }): Promise<T>;
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
  // One controller for both ends: Safari before 17.4 cannot join two signals.
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  init.signal = ending.signal;

  let response: Response;
  let text = '';
  try {
    response = await fetch(path, init);
    if (schema || !response.ok) text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw ending.signal.aborted ? tookTooLong(error) : notReached(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
  if (!response.ok) throw new ApiError(response, text);
  return schema ? answerOf(text, schema) : undefined;
}

/**
 * The body of a success as the schema reads it.
 * @throws {NetworkError} for any other: a proxy's or a sign-in portal's page, or a server of another version.
 */
export function answerOf<T>(body: string, schema: z.core.$ZodType<T>): T {
  const answer = z.safeParse(schema, jsonOf(body));
  if (answer.success) return answer.data;
  throw new NetworkError('The site gave an unexpected answer. Please try again.', { cause: answer.error });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The entries that are texts. */
function textsOf(entries: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The token that somebody put into local storage (spec §3), which throws where a browser blocks it. */
export function bearerToken(): string | null {
  try {
    return localStorage.getItem(bearerStorageKey);
  } catch {
    return null;
  }
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
