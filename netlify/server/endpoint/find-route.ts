import { Refusal, notFound } from '../runtime/refusal.ts';

/** Finds the route that answers a request. @throws {Refusal} `not_found` or `method_not_allowed`. */
export function findRoute<Route extends { readonly method: string; readonly path: string }>(
  routes: readonly Route[],
  request: Request,
  pathname: string,
) {
  const here: { route: Route; params: Record<string, string> }[] = [];
  for (const route of routes) {
    const params = matchPath(route.path, pathname);
    if (params) here.push({ route, params });
  }
  if (here.length === 0) throw notFound('This URL');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = here.find(({ route }) => route.method === method);
  if (!found) {
    const allow = [...new Set(here.map(({ route }) => route.method))].sort().join(', ');
    throw new Refusal('method_not_allowed', `This URL accepts only ${allow} requests.`, { headers: { allow } });
  }
  return found;
}

/** Returns the values of the pattern's variable segments, or null if the path does not match the pattern. */
function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const actual = pathname.split('/');
  if (expected.length !== actual.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return null;
    } else {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    }
  }
  return params;
}
