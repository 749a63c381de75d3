import { randomUUID } from 'node:crypto';
import type { Config, Context } from '@netlify/functions';
import type * as z from 'zod/mini';
import { safeParse } from 'zod/v4/core';
import { type ErrorCode, fieldErrors } from '../../../src/domain/errors.ts';
import { doneReceipt } from '../../../src/domain/account/session.ts';
import { uploadLimits } from '../../../src/domain/submissions/upload.ts';
import { linkToRecord } from '../activity/link.ts';
import type { NewActivity } from '../activity/store.ts';
import { requireFreshSignIn, requireSession, type Session } from '../auth/sessions.ts';
import { isDatabaseFault } from '../db/fault.ts';
import { EnvError } from '../env.ts';
import { logError } from '../log.ts';
import { Refusal, notFound, unexpected } from '../refusal.ts';
import { type Services, services } from '../services.ts';
import { requireSpace } from '../uploads/quotas.ts';
import { defaultBodyLimit, readBody } from './body.ts';
import { requireSameOrigin } from './cookies.ts';
import { type FileRule, type ReceivedFile, readForm } from './multipart.ts';
import { json, refusalResponse, varyOf, withOwnHeaders } from './respond.ts';

/** The path of a route, with `:name` for a variable segment. */
type Address = `/${string}`;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Schema = z.ZodMiniType | undefined;
type Parsed<S extends Schema> = S extends z.ZodMiniType ? z.output<S> : undefined;

type RouteAccess = 'public' | 'admin';

/** The argument of a route's `run`. */
export interface Call<Query = unknown, Input = unknown, Access extends RouteAccess = RouteAccess> {
  readonly request: Request;
  readonly requestId: string;
  /** The visitor's IP address, as determined by Netlify or the self-hosted server. */
  readonly address: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly input: Input;
  /** The uploaded file, on a route that accepts one (`file`). */
  readonly file: ReceivedFile;
  /** True if the body has the encoding of an HTML form, as from a browser without scripts. */
  readonly fromForm: boolean;
  /** The parsed body before validation, for a page that shows a refused form again. */
  readonly body: unknown;
  readonly services: Services;
  /** The session of the signed-in admin; null on a public route. */
  readonly session: Access extends 'admin' ? Session : null;
  /** Keeps the function running for work that the response does not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /**
   * Adds an action to the activity log. The entry is written after `run` has succeeded.
   * @param action a phrase that follows the admin's name, such as `released an inquiry`.
   * @param subject the object of the action, such as a reference, a title or a file name.
   * @param who the admin's email address on a public route; by default the session's.
   * @param id the id of a new record, which the entry links to; by default the parameter `id` of the route.
   */
  readonly record: (action: string, subject?: string, who?: string, id?: string) => void;
}

type Output = z.ZodMiniType | `${string}/${string}` | null | undefined;

interface RouteSpec<Q extends Schema, I extends Schema, A extends RouteAccess, O extends Output> {
  /** `public` is open to everyone. By default, a route requires the session of an admin. */
  readonly access?: A;
  /** On an admin route, requires a sign-in within the last 10 minutes. */
  readonly fresh?: A extends 'admin' ? true : never;
  /** Refuses requests of other sites, on a public route that uses the session. Admin routes always refuse them. */
  readonly sameOrigin?: A extends 'public' ? true : never;
  /** A one-line summary for the API document. */
  readonly summary: string;
  /**
   * The success response, for the API document: the schema of the JSON body, the media type of a file, or null for no
   * body. By default `{ success: true }`, which is the response if `run` returns nothing.
   */
  readonly output?: O;
  /** The HTTP status of a success, if it is not 200. */
  readonly status?: 201 | 303;
  /** For the API document: when the route responds with status 503 and the body of a success. */
  readonly failing?: string;
  /** For the API document: errors that only this route has, and when they occur. */
  readonly errors?: Partial<Record<ErrorCode, string>>;
  readonly query?: Q;
  readonly input?: I;
  /**
   * Requires a file in addition to the fields, in a multipart body or as an upload in parts. Problems with the file are
   * reported as field errors.
   */
  readonly file?: FileRule;
  /** The largest size of a body, in bytes. */
  readonly bodyLimit?: number;
  /** If true, `run` reads the body itself, for example a part of an upload. */
  readonly rawBody?: boolean;
  /**
   * Responds to invalid input. For example, shows a form without scripts again, with the visitor's entries. If the
   * result is null, the response is a plain error.
   */
  readonly invalid?: (
    call: Omit<Call<undefined, undefined, A>, 'file'>,
    errors: Record<string, string>,
  ) => Promise<Response | null>;
  readonly run: (
    call: Call<Parsed<Q>, Parsed<I>, A>,
  ) => Promise<Response | object | (O extends undefined ? void : never)>;
}

type AnySpec = RouteSpec<Schema, Schema, RouteAccess, Output>;

/** A route without type parameters, so routes of different types fit in one list. {@link on} checks the types. */
export interface Route {
  readonly method: Method;
  readonly path: Address;
  /** Matches the paths of the route. Its groups are the variable segments. */
  readonly expression: RegExp;
  readonly spec: AnySpec & Required<Pick<AnySpec, 'access' | 'output'>>;
}

/**
 * Declares a route of a function.
 * @param path from `apiPaths` if the browser calls the route.
 */
export function on<
  A extends RouteAccess = 'admin',
  Q extends Schema = undefined,
  I extends Schema = undefined,
  O extends Output = undefined,
>(method: Method, path: Address, spec: RouteSpec<Q, I, A, O>): Route {
  const source = path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]*)');
  const { access = 'admin', output = doneReceipt } = spec;
  const full = { ...spec, access, output };
  return { method, path, expression: new RegExp(`^${source}$`), spec: full as Route['spec'] };
}

/** Returns a path with variable segments: `patternOf(apiPaths.session, ':id')` is `/api/settings/sessions/:id`. */
export function patternOf(path: (...parts: never[]) => string, ...names: string[]): Address {
  return decodeURIComponent((path as (...parts: string[]) => string)(...names)) as Address;
}

export type Handler = ((request: Request, context: Context, given?: Services) => Promise<Response>) & {
  readonly routes: readonly Route[];
  /** The function's paths and rate limit, in Netlify's format. */
  readonly config: Config;
};

/**
 * Creates the handler of a function from its routes. The handler checks access, parses the request, runs the route and
 * responds. It catches all errors, so every response has `X-Request-Id` and every error has the same shape.
 * @param limits.requestsAMinute the limit for one visitor's IP address, for all routes of the function together.
 */
export function endpoint({ requestsAMinute }: { requestsAMinute: number }, ...routes: Route[]): Handler {
  const handle = async (request: Request, context: Context, given?: Services): Promise<Response> => {
    const requestId = context.requestId || randomUUID();
    let response: Response;
    try {
      response = await answer(routes, request, context, requestId, given);
    } catch (error) {
      response = refusalResponse(asRefusal(error, request, requestId), request, requestId);
    }
    // A response to HEAD has no body, so its body is canceled. Otherwise it would keep a file open, or a slot in the
    // queue for exports occupied, until a time limit.
    if (request.method === 'HEAD' && response.body) {
      await response.body.cancel();
      response = new Response(null, response);
    }
    return withOwnHeaders(response, requestId);
  };
  const config: Config = {
    path: [...new Set(routes.map(({ path }) => path))],
    rateLimit: { windowLimit: requestsAMinute, windowSize: 60, aggregateBy: ['ip', 'domain'] },
  };
  return Object.assign(handle, { routes, config });
}

async function answer(
  routes: Route[],
  request: Request,
  context: Context,
  requestId: string,
  given: Services | undefined,
): Promise<Response> {
  const url = new URL(request.url);
  const { route, params } = findRoute(routes, request, url.pathname);
  const { spec } = route;
  const provided = given ?? (await services(context));
  const session = spec.access === 'public' ? null : await requireSession(request, provided);
  if (session?.fromCookie || spec.sameOrigin) requireSameOrigin(request, provided.env);
  if (session && spec.fresh) requireFreshSignIn(session, provided.now());

  const query = parse(spec.query, Object.fromEntries(url.searchParams));
  if (query.errors) throw invalidInput(query.errors);
  if (spec.file) await requireSpace(spec.access, provided);
  const body = await bodyOf(request, spec, provided);
  const activity: Omit<NewActivity, 'at'>[] = [];
  const call = {
    request,
    requestId,
    address: context.ip,
    params,
    fromForm: body.fromForm,
    body: body.value,
    services: provided,
    session,
    waitUntil: (work: Promise<unknown>) => context.waitUntil(work),
    record: (action: string, subject = '', who = session?.email ?? '', id = params.id) =>
      void activity.push({ who, action, subject: subject.slice(0, 200), link: linkToRecord(route, id) }),
  };
  const input = parse(spec.input, body.value);
  const { file, fileProblem } = body;
  if (input.errors || fileProblem) {
    const errors = { ...input.errors, ...(fileProblem && { [spec.file!.field]: fileProblem.message }) };
    const own = await spec.invalid?.({ ...call, query: undefined, input: undefined }, errors);
    if (own) return own;
    throw invalidInput(errors, input.errors ? undefined : fileProblem?.code);
  }
  // The cast is safe, because a missing file was already reported as a field error.
  const result = await spec.run({ ...call, query: query.value, input: input.value, file: file as ReceivedFile });
  // A HEAD request does nothing that the activity log should show.
  if (request.method !== 'HEAD' && activity.length > 0) {
    const at = provided.now().toISOString();
    await provided.stores.activity
      .create(activity.map((entry) => ({ ...entry, at })))
      .catch((error: unknown) => logError('activity not recorded', { requestId }, error));
  }
  if (file?.uploadId) {
    // The upload is kept for a while, so that the request can be retried.
    const until = new Date(provided.now().getTime() + 15 * 60_000).toISOString();
    call.waitUntil(provided.stores.uploads.expireAt(file.uploadId, until));
  }
  if (!(result instanceof Response)) return json(result ?? { success: true }, { status: spec.status });
  if (result.headers.has('netlify-cdn-cache-control')) limitCaching(result.headers, spec, url, query.value);
  return result;
}

/**
 * Without `Netlify-Vary`, the CDN would store a response for each query string. A value that is not written as the
 * server writes it, such as `limit=050`, would also take another place in the cache, so its response is not stored.
 */
function limitCaching(headers: Headers, spec: Route['spec'], { searchParams }: URL, query: unknown): void {
  const keys = queryKeysOfRoute(spec);
  headers.set('netlify-vary', varyOf(keys));
  const read = Object(query) as Readonly<Record<string, unknown>>;
  const isPlain = (key: string) => searchParams.getAll(key).join('&') === String(read[key]);
  if (!keys.every((key) => !searchParams.has(key) || isPlain(key))) {
    headers.set('netlify-cdn-cache-control', 'no-store');
  }
}

/** Returns the query parameters that a route reads. */
export function queryKeysOfRoute({ query }: Pick<Route['spec'], 'query'>): string[] {
  return query && 'shape' in query ? Object.keys(query.shape as object) : [];
}

async function bodyOf(request: Request, { input, file, bodyLimit }: Route['spec'], provided: Services) {
  if (file) return await readForm(request, file, provided);
  const body = input ? await readBody(request, bodyLimit) : { value: undefined, fromForm: false };
  return { ...body, file: null, fileProblem: null };
}

/**
 * Returns the maximum number of body bytes that a function with these routes reads for a request: 0 if it responds
 * without reading the body. A host that receives bodies before it calls the function can stop at this number.
 */
export function bodyBytesOf(routes: readonly Route[], request: Request, pathname: string): number {
  try {
    const { spec } = findRoute(routes, request, pathname).route;
    if (spec.rawBody) return Infinity;
    if (spec.file) return uploadLimits[spec.file.purpose] + defaultBodyLimit;
    return spec.input ? (spec.bodyLimit ?? defaultBodyLimit) : 0;
  } catch {
    return 0;
  }
}

function parse(schema: Schema, value: unknown): { value?: unknown; errors?: Record<string, string> } {
  if (!schema) return {};
  const result = safeParse(schema, value);
  return result.success ? { value: result.data } : { errors: fieldErrors(result.error) };
}

function invalidInput(errors: Record<string, string>, code: ErrorCode = 'invalid_input'): Refusal {
  return new Refusal(code, Object.values(errors)[0] ?? 'The request is not valid.', { errors });
}

function asRefusal(error: unknown, request: Request, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  logError('request failed', { requestId, method: request.method, path: new URL(request.url).pathname }, error);
  if (error instanceof EnvError) {
    return new Refusal('unavailable', 'The server is not set up yet. See the server log for what is missing.');
  }
  if (!isDatabaseFault(error)) return unexpected();
  return new Refusal('unavailable', 'Our database is not available right now. Please try again in a minute.', {
    headers: { 'retry-after': '60' },
  });
}

/** Finds the route that answers a request. @throws {Refusal} `not_found` or `method_not_allowed`. */
export function findRoute(routes: readonly Route[], request: Request, pathname: string) {
  const here = routes.flatMap((route) => {
    const params = paramsOf(route.expression.exec(pathname));
    return params ? [{ route, params }] : [];
  });
  if (here.length === 0) throw notFound('This URL');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = here.find(({ route }) => route.method === method);
  if (found) return found;
  const allow = [...new Set(here.map(({ route }) => route.method))].sort().join(', ');
  throw new Refusal('method_not_allowed', `This URL accepts only ${allow} requests.`, { headers: { allow } });
}

/** Returns the values of a path's variable segments, or null if the path does not match or is not valid UTF-8. */
function paramsOf(match: RegExpExecArray | null): Record<string, string> | null {
  try {
    const values = Object.entries(match?.groups ?? {});
    return match && Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return null;
  }
}
