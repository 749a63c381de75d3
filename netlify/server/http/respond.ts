import { createHash } from 'node:crypto';
import fresh from 'fresh';
import { type ErrorBody, errorStatus } from '../../../src/domain/errors.ts';
import { securityHeaders } from '../../../src/domain/site/security-headers.ts';
import { escapeAttribute, escapeHtml } from '../../../src/domain/text/text.ts';
import { logoUrl } from '../../../src/domain/site/logo.ts';
import { site } from '../../../src/site.config.ts';
import { logInfo } from '../log.ts';
import type { Refusal } from '../refusal.ts';

/** Returns a JSON response that no cache stores, unless its headers say otherwise. */
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

/** Returns a redirect with status 303, which makes the browser load the next page with GET. */
export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'private, no-store', ...headers } });
}

/**
 * Returns true for a request that prefers HTML, as a browser sends when it navigates. Other clients get JSON
 * (docs/product.md#api).
 */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get('accept') ?? '';
  const html = accept.indexOf('text/html');
  const jsonAt = accept.indexOf('application/json');
  return html !== -1 && (jsonAt === -1 || html < jsonAt);
}

/** Returns true for a form that the browser sent without scripts. */
function isBrowserForm(request: Request): boolean {
  const type = request.headers.get('content-type') ?? '';
  return request.method === 'POST' && /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);
}

/**
 * Responds to a refusal with JSON. A person who sent a form without scripts, or opened a page outside the API, gets an
 * HTML page instead. The log gets the request id, which the response also shows, and nothing about the visitor.
 */
export function refusalResponse(refusal: Refusal, request: Request, requestId: string): Response {
  const status = errorStatus[refusal.code];
  logInfo('request refused', { requestId, status, code: refusal.code });
  const sentForm = isBrowserForm(request);
  if (wantsPage(request) && (sentForm || !new URL(request.url).pathname.startsWith('/api/'))) {
    const form = !sentForm ? 'none' : refusal.code === 'forbidden_origin' ? 'elsewhere' : 'here';
    return new Response(refusalPage(refusal.message, requestId, form), {
      status,
      headers: {
        ...refusal.headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': refusalPagePolicy,
        'cache-control': 'private, no-store',
      },
    });
  }
  const { message, code, errors, current, headers } = refusal;
  return json({ message, code, requestId, errors, current } satisfies ErrorBody, { status, headers });
}

/** Returns a public JSON response, cached like {@link publicText}. */
export function publicJson(value: unknown, request: Request, tags: string[]): Response {
  return publicText(JSON.stringify(value), 'application/json; charset=utf-8', request, tags);
}

/**
 * Returns the headers of a public response. Browsers revalidate their copy each time. Netlify's CDN caches the response
 * until one of its tags is purged.
 */
export const cachedUntilPurged = (...tags: string[]) => ({
  'cache-control': 'public, max-age=0, must-revalidate',
  'netlify-cdn-cache-control': 'public, durable, max-age=31536000',
  'netlify-cache-tag': tags.join(','),
});

/** Returns a public text response, cached like {@link cachedUntilPurged}. */
export function publicText(text: string, type: string, request: Request, tags: string[]): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': type,
    ...cachedUntilPurged(...tags),
    'netlify-vary': varyOf([]),
    etag,
  };
  if (knowsAnswer(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

/**
 * Returns the `Netlify-Vary` value for a route that reads these query parameters. An empty list would mean every
 * parameter.
 */
export function varyOf(queryKeys: readonly string[]): string {
  return `query=${queryKeys.join('|') || '_'}`;
}

/** Returns true if the client already has the response with this ETag. */
export function knowsAnswer(request: Request, etag: string): boolean {
  return fresh({ 'if-none-match': request.headers.get('if-none-match') ?? undefined }, { etag });
}

/**
 * The Content-Security-Policy of function responses. If a browser displays such a response as a page, the page cannot
 * load or run anything, and no site can frame the page.
 */
export const functionPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Adds the headers that all function responses have. */
export function withOwnHeaders(response: Response, requestId: string): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value);
  headers.set('x-request-id', requestId);
  // Other sites cannot embed the response. Uploaded files, which other sites may embed, set this header themselves.
  if (!headers.has('cross-origin-resource-policy')) headers.set('cross-origin-resource-policy', 'same-origin');
  // Uploaded files and error pages set their own strict policies.
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', functionPolicy);
  return response;
}

/* The colors of src/styles/tokens.css, which code outside the build cannot import. A test compares the two lists. */
const style = `:root{color-scheme:light;--paper:#f5f1e6;--raised:#fcfaf4;--ink:#13201a;--ink-soft:#38463e;--rule:#d3d4c3;--rule-strong:#6f7d71;--accent:#0b4f36}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#0f1713;--raised:#18221c;--ink:#f2f3e9;--ink-soft:#bac5b8;--rule:#bfe5c42b;--rule-strong:#75867a;--accent:#8ed0a6}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 Arial,sans-serif}
header{padding:.5rem 1.5rem;border-bottom:1px solid var(--rule);background:var(--raised)}
img{display:block;width:auto;height:2.75rem}
main{box-sizing:border-box;max-width:42rem;margin:clamp(1.5rem,8vw,5rem) auto;padding:clamp(1.25rem,4vw,2.5rem);border-top:4px double var(--rule-strong);background:var(--raised);overflow-wrap:anywhere}
h1{margin:0;font:450 clamp(2rem,1.7rem + 1.5vw,3.125rem)/1.1 Georgia,serif}
p{margin:1.25rem 0 0}
a{display:inline-block;padding-block:.6rem;color:var(--accent)}
small{color:var(--ink-soft)}`;

/** The page loads the logo and nothing else. */
const refusalPagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
].join('; ');

/**
 * Renders the error page for a visitor whose request for a page, or whose form without scripts, was refused.
 * @param form where the form is that the visitor sent; `none` if the request sent no form. The page does not lead back
 * to a form on another website.
 */
export function refusalPage(message: string, requestId: string, form: 'here' | 'elsewhere' | 'none'): string {
  const title = form === 'none' ? 'This page is not available' : 'Your form was not sent';
  const back =
    form === 'here'
      ? '<p>Your answers are still in the form. Select Back in your browser to return to the form.</p>\n'
      : '';
  return `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><header><img src="${logoUrl}" width="200" height="60" alt="${escapeAttribute(site.name)}"></header>
<main><h1>${title}</h1><p>${escapeHtml(message)}</p>
${back}<p><a href="/">Return to Home</a></p>
<p><small>Request ID: ${escapeHtml(requestId)}</small></p></main></body>
</html>`;
}
