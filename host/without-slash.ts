import { canonicalPath } from './canonical-path.ts';

type Handler<Context> = (request: Request, context: Context) => Promise<Response>;

/**
 * Redirects a path with a slash at the end to the path without it. Netlify calls a function for both paths, and its
 * redirect rules treat both as one. Without this redirect, the adapter's function responds with 404.
 */
export function withoutSlash<Context>(handler: Handler<Context>): Handler<Context> {
  return async (request, context) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.endsWith('/') ? canonicalPath(pathname) : null;
    if (path === null || path === pathname) return await handler(request, context);
    return new Response(null, { status: 301, headers: { location: path + search } });
  };
}
