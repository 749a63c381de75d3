import { canonicalPath } from './http/canonical-path.ts';

type Handler<Context> = (request: Request, context: Context) => Promise<Response>;

/**
 * Redirects a path with a slash at the end to the path without the slash. Otherwise, the adapter's function would
 * respond with 404. A redirect rule cannot do this, because Netlify's redirect rules treat both paths as one.
 */
export function withoutSlash<Context>(handler: Handler<Context>): Handler<Context> {
  return async (request, context) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.endsWith('/') ? canonicalPath(pathname) : null;
    if (path === null || path === pathname) return await handler(request, context);
    return new Response(null, { status: 301, headers: { location: path + search } });
  };
}
