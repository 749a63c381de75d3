import { logAccess } from '../netlify/server/runtime/log.ts';
import { canonicalPath } from './canonical-path.ts';
import type { Functions } from './functions.ts';

interface Exchange {
  readonly request: Request;
  readonly requestId: string;
}

/**
 * Logs one request and its response if `ACCESS_LOG=on`. The log contains the route, such as `/blog/:slug`, but no path,
 * query or IP address, so it contains no personal data.
 * @param began the time at which the host began to answer, from `performance.now()`.
 */
export function logAnswer(
  { request, requestId }: Exchange,
  response: Response,
  functions: Pick<Functions, 'match'>,
  began: number,
): void {
  const { method } = request;
  const length = response.headers.get('content-length');
  logAccess({
    method,
    route: routeOf(request, response, functions),
    status: response.status,
    ms: Math.round(performance.now() - began),
    ...(length !== null && { bytes: Number(length) }),
    requestId,
  });
}

/**
 * Returns the route of a request for the log. If a function matches the request, the route is the function's path
 * pattern, such as `/uploads/:id/:name`, or the function's name if a path parameter contains slashes. Otherwise, the
 * route is `unknown` for an error, `page` for an HTML response, and `file` for any other response.
 */
function routeOf(request: Request, response: Response, functions: Pick<Functions, 'match'>): string {
  const path = canonicalPath(new URL(request.url).pathname);
  const found = path === null ? null : functions.match(request.method, path);
  if (found) {
    const params = Object.entries(found.params);
    if (params.some(([, value]) => value.includes('/'))) return found.fn.name;
    const names = new Map(params.map(([name, value]) => [value, `:${name}`]));
    return found.path
      .split('/')
      .map((segment) => names.get(decoded(segment)) ?? segment)
      .join('/');
  }
  if (response.status >= 400) return 'unknown';
  return response.headers.get('content-type')?.startsWith('text/html') ? 'page' : 'file';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
