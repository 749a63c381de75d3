import type * as z from 'zod/mini';
import { apiPaths } from '../domain/api-paths.ts';
import { type UploadPurpose, partBytes, uploadOpened } from '../domain/upload.ts';
import { ApiError, NetworkError, answerOf, bearerToken, notReached, request, tookTooLong } from './api.ts';
import { newSubmissionKey } from './forms/submission-key.ts';

/** A connection on which nothing moves for so long is given up, and the request sent again. */
const stallMs = 45_000;
const firstWaitMs = 1_000;
const longestWaitMs = 8_000;

interface SendFileOptions<T> {
  readonly purpose: UploadPurpose;
  /** Takes the form: multipart with the file in `field`, or JSON with `uploadId` in its place. */
  readonly url: string;
  readonly field: string;
  /** What is sent beside the file. */
  readonly fields?: Readonly<Record<string, string | number>>;
  /** What the answer must be. */
  readonly schema: z.core.$ZodType<T>;
  /** Called with the bytes of the file that have left, and how many there are; the last call has both equal. */
  readonly onProgress?: (sent: number, total: number) => void;
  /** Ends the sending; the signal's own reason is then thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Names the submission, so that the address takes it once however often it is sent. A new one unless given. */
  readonly key?: string;
  /** How often each request is sent again after a lost connection or a busy server. */
  readonly retries?: number;
}

/**
 * Sends a form with a file: up to 4 MB as one multipart request, a larger file in parts that are put together on the
 * server (decisions, 'Uploads'). A lost connection is waited for and only what is missing is sent again; calling it
 * once more with the same `File` after it failed goes on where it stopped.
 * @throws {ApiError} where the server refuses, with its field errors.
 * @throws {NetworkError} where the connection stayed away.
 */
export async function sendFile<T>(file: File, options: SendFileOptions<T>): Promise<T> {
  const { url, fields = {}, field, schema, signal, retries = 3, onProgress } = options;
  const key = options.key ?? newSubmissionKey();
  const headers = { 'idempotency-key': key };
  if (file.size <= partBytes) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
    form.append(field, file, file.name);
    const progress = (loaded: number) => onProgress?.(Math.min(loaded, file.size), file.size);
    const text = await patiently(retries, signal, () => send('POST', url, form, { headers, progress, signal }));
    onProgress?.(file.size, file.size);
    return answerOf(text, schema);
  }
  for (let again = true; ; again = false) {
    try {
      const uploadId = await sendParts(file, options, retries);
      const body = { ...fields, uploadId };
      return await patiently(retries, signal, () => request(url, { body, headers, schema, signal }));
    } catch (error) {
      // The server has forgotten the upload, or a part of it: the file is sent once more from its beginning. A refusal that
      // brings what stands on the server is about that.
      if (!again || !(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) throw error;
      if (error.current !== undefined) throw error;
      begun.delete(file);
    }
  }
}

interface Upload {
  readonly id: string;
  readonly purpose: UploadPurpose;
  readonly partSize: number;
  /** Parts that the server has, counted from 1. */
  arrived: number;
}

/** Uploads that were begun, by the very file that the visitor chose. */
const begun = new WeakMap<File, Upload>();

async function sendParts<T>(file: File, options: SendFileOptions<T>, retries: number): Promise<string> {
  const { purpose, signal, onProgress } = options;
  let upload = begun.get(file);
  if (upload?.purpose !== purpose) {
    const body = { name: file.name, size: file.size, type: file.type, purpose };
    const opened = await patiently(retries, signal, () =>
      request(apiPaths.uploads, { body, schema: uploadOpened, signal }),
    );
    upload = { id: opened.id, partSize: opened.partSize, purpose, arrived: 0 };
    begun.set(file, upload);
  }
  const { id, partSize } = upload;
  const count = Math.ceil(file.size / partSize);
  while (upload.arrived < count) {
    const from = upload.arrived * partSize;
    const part = file.slice(from, from + partSize);
    const progress = (loaded: number) => onProgress?.(Math.min(from + loaded, file.size), file.size);
    const address = apiPaths.uploadPart(id, upload.arrived + 1);
    await patiently(retries, signal, () => send('PUT', address, part, { progress, signal }));
    upload.arrived += 1;
  }
  onProgress?.(file.size, file.size);
  return id;
}

/** Runs a request again after a failure that may pass by itself: at once when the connection is back, else after a while. */
async function patiently<T>(retries: number, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === retries || !passes(error)) throw error;
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      if (asked > longestWaitMs) throw error;
      await pause(Math.max(asked, Math.min(firstWaitMs * 2 ** tries, longestWaitMs)), signal);
    }
  }
}

function passes(error: unknown): boolean {
  if (error instanceof ApiError) return [408, 429, 502, 503, 504].includes(error.status);
  return error instanceof NetworkError;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      over.abort();
      settle();
    };
    const timer = setTimeout(end(resolve), ms);
    window.addEventListener('online', end(resolve), { signal: over.signal });
    const stop = end(() => reject(signal?.reason as Error));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { signal: over.signal });
  });
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly progress: (loaded: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** One request with progress, which `fetch` does not tell. @returns the body of a success. */
function send(method: string, url: string, body: FormData | Blob, { headers, progress, signal }: Sending) {
  return new Promise<string>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const sending = new XMLHttpRequest();
    const stop = () => sending.abort();
    let stalled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stalled = true;
        stop();
      }, stallMs);
    };
    sending.open(method, url);
    const token = bearerToken();
    const all = { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }), ...headers };
    for (const [name, value] of Object.entries(all)) sending.setRequestHeader(name, value);
    sending.upload.addEventListener('progress', ({ loaded }) => {
      moved();
      progress(loaded);
    });
    sending.addEventListener('loadend', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      if (stalled) reject(tookTooLong());
      else if (signal?.aborted) reject(signal.reason as Error);
      else if (sending.status === 0) reject(notReached());
      else if (sending.status >= 200 && sending.status < 300) resolve(sending.responseText);
      else reject(new ApiError(responseOf(sending), sending.responseText));
    });
    signal?.addEventListener('abort', stop);
    moved();
    sending.send(body);
  });
}

function responseOf(sending: XMLHttpRequest): Response {
  const { status, statusText } = sending;
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = sending.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(null, { status, statusText, headers });
}
