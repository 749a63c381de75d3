import { createHash } from 'node:crypto';
import fresh from 'fresh';
import { type ErrorBody, errorStatus } from '../../../src/domain/errors.ts';
import { securityHeaders } from '../../../src/domain/security-headers.ts';
import { logInfo } from '../log.ts';
import type { Refusal } from './refusal.ts';
import { refusalPage, refusalPagePolicy } from './refusal-page.ts';

/** Returns a JSON answer that no cache keeps, unless its headers say otherwise. */
export function json(value: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return new Response(JSON.stringify(value), {
    status: init.status ?? 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      ...init.headers,
    },
  });
}

/** The answer to a native form: the browser goes on to a page by GET. */
export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'private, no-store', ...headers } });
}

/** True for a person's browser on its way to a page; false for scripts, which get JSON (decisions: one address, two answers). */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get('accept') ?? '';
  const html = accept.indexOf('text/html');
  const jsonAt = accept.indexOf('application/json');
  return html !== -1 && (jsonAt === -1 || html < jsonAt);
}

/** True for a form that the browser sent by itself, without scripts. */
function isBrowserForm(request: Request): boolean {
  const type = request.headers.get('content-type') ?? '';
  return request.method === 'POST' && /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
}

/**
 * Answers a refusal with JSON. A person who sent a form without scripts, or opened a page outside the API, gets a page to
 * read. The log gets the request id that both of them show, and nothing about the visitor.
 */
export function refusalResponse(refusal: Refusal, request: Request, requestId: string): Response {
  const status = errorStatus[refusal.code];
  logInfo('request refused', { requestId, status, code: refusal.code });
  const sentForm = isBrowserForm(request);
  if (wantsPage(request) && (sentForm || !new URL(request.url).pathname.startsWith('/api/'))) {
    return new Response(refusalPage(refusal.message, requestId, sentForm), {
      status,
      headers: {
        ...refusal.headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': refusalPagePolicy,
        'cache-control': 'private, no-store',
      },
    });
  }
  const body: ErrorBody = {
    message: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal.errors && { errors: refusal.errors }),
    ...(refusal.current !== undefined && { current: refusal.current }),
  };
  return json(body, { status, headers: refusal.headers });
}

/** A JSON answer that everybody may read; kept as {@link publicText} says. */
export function publicJson(value: unknown, request: Request, tags: string[]): Response {
  return publicText(JSON.stringify(value), 'application/json; charset=utf-8', request, tags);
}

/**
 * A text that everybody may read. Browsers ask each time whether it changed; Netlify's CDN keeps it until one of its tags
 * is purged.
 */
export function publicText(text: string, type: string, request: Request, tags: string[]): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=0, must-revalidate',
    'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
    'netlify-cache-tag': tags.join(','),
    'netlify-vary': varyOf([]),
    etag,
  };
  if (knowsAnswer(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

/** Returns the `Netlify-Vary` value for a route that reads these query keys. An empty list would mean every key. */
export function varyOf(queryKeys: readonly string[]): string {
  return `query=${queryKeys.join('|') || '_'}`;
}

/** True where the client has the answer with this tag already. */
export function knowsAnswer(request: Request, etag: string): boolean {
  return fresh({ 'if-none-match': request.headers.get('if-none-match') ?? undefined }, { etag });
}

/** Nothing that a function answers may load, run or be framed: not even a refusal that a browser shows as a page. */
export const functionPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Adds the headers that every answer of a function has. */
export function withOwnHeaders(response: Response, requestId: string): Response {
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  // No other site loads an answer as a resource, but for files of the library, which say so themselves.
  if (!response.headers.has('cross-origin-resource-policy')) {
    response.headers.set('cross-origin-resource-policy', 'same-origin');
  }
  // An uploaded file has its own policy, as strict.
  if (!response.headers.has('content-security-policy')) {
    response.headers.set('content-security-policy', functionPolicy);
  }
  response.headers.set('x-request-id', requestId);
  return response;
}
